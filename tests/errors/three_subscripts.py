def f(a: 'float64[:, :]'):
    return a[0, 1, 2]
