class Box:
    value = 0.0


box = Box()


def f(x: float):
    box.value = x
    return x * x
