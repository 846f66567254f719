def f(x: float):
    kind = "square"
    return x * x if kind == "square" else x
