import operator

compare = operator.itemgetter(0)


def f(x: float, a: float):
    return x * operator.matmul(x, a)
