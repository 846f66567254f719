def f(x: float, n: int):
    for i in range(n):
        if x > 10.0:
            return x
        x = x * 2
    return x
