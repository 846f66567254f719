def f(x: float, k: int):
    y = x
    match (k, x):
        case (0, z):
            y = x * z
    return y
