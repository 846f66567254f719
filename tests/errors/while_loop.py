def f(x: float):
    while True:
        x = x / 2
    return x
