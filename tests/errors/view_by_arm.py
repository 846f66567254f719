def f(x: 'float64[:]', s: 'float64'):
    part = x[1:]
    if s > 0.0:
        part = x[:-1]
    part[0] = 0.0
    return x[0]
