def f(x: float):
    y = x * x
    print(y)
    return y
