import s2sad


def f(x: float):
    rates = {"a": x, "b": 2.0}
    fast = rates
    fast["a"] = 3.0 * x
    return rates["a"]


def run():
    s2sad.grad(f)(0.7)
