def f(x: float):
    class Box:
        pass

    return x * x
