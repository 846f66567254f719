import s2sad


def f(x: float, n: int):
    for _ in range(n):
        with s2sad.checkpoint():
            x = x * x
            if x > 2.0:
                break
    return x
