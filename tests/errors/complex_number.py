def f(x: float):
    z = x * 1j
    return abs(z)
