class Box:
    value = 2.0


box = Box()


def f(x: float):
    return x * box.value
