def f(a: 'float64[:, :]'):
    row = a[0]
    return row[0] * row[1]
