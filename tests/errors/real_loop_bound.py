def f(x: float):
    s = 0.0
    for i in range(x):
        s += x
    return s
