import s2sad


@s2sad.checkpoint
def step(x):
    print(x)
    return x * x


def f(x: float):
    return step(x)
