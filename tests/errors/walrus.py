def f(x: float):
    return (y := x * x) + y
