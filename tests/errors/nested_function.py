def f(x: float):
    s = 0.0

    def add(v):
        nonlocal s
        s = s + v

    add(x)
    return s
