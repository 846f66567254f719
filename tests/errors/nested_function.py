def f(x: float):
    s = None

    def add(v):
        nonlocal s
        s = v * v

    add(x)
    return s
