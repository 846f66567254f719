import s2sad


def f(x: float, n: int):
    for _ in s2sad.checkpoint_range(n, snapshots=3, schedule="fastest"):
        x = x * x
    return x
