import s2sad

solve = s2sad.root(lambda x, a: (x[0] - a, x[1] + a))


def f(a: float):
    return solve((1.0, 2.0), a)[0]
