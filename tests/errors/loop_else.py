def f(x: float, n: int):
    for i in range(n):
        x = x * 2
    else:
        x = x + 1
    return x
