def f(x: 'float64[:]'):
    s = 0.0
    for v in x:
        s += v
    return s
