def f(a: 'float64[:, :]'):
    b = a.T
    return b[0, 1]
