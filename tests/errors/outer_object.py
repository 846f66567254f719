TABLE = {"a": 2.0}


def f(x: float):
    return x * TABLE["a"]
