def f(x: float, n: int):
    for i in range(n):
        if i == 2:
            continue
        x = x * 2
    return x
