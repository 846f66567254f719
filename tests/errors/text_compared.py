def f(x: float, kind: str):
    return x * x if kind == "square" else x
