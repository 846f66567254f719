import s2sad


def f(d):
    return d["a"] * d["b"]


def run():
    s2sad.grad(f)({"a": 0.7, "b": 0.4})
