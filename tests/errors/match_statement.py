def f(x: float, k: int):
    y = x
    match k:
        case 0:
            y = x * x
    return y
