def f(x: 'float64[:]'):
    y = 0.0
    if x > 0:
        y = x[0]
    return y
