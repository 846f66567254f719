def f(x: float, n: int):
    return any((y := x * i) > 1.0 for i in range(n)) * y
