def f(x: float):
    y = (x +
         sum({x, x}))
    return y
