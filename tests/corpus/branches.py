"""Branches on passive and active values, inside and outside loops."""

import numpy as np

from corpus.case import case, vector


def active_test(x, y):
    if x > y:
        z = x * x * y
    else:
        z = np.sin(y)
    return z * x


def elif_chain(x):
    if x < 0.0:
        y = -x * x
    elif x < 1.0:
        y = x**3
    elif x < 2.0:
        y = np.exp(x)
    else:
        y = 1.0 / x
    return y * y


def no_else(x, y):
    z = x
    if y > 0.0:
        z = z * y
    if z > 100.0:
        z = 0.0
    return z * x


def in_a_loop(u, x):
    s = x
    for i in range(len(u)):
        if u[i] > 0.2 * s:
            s = s * u[i] + 1.0
        else:
            s = np.sin(s) - u[i]
    return s


def state_machine(u):
    mode = 0
    s = 1.0
    for i in range(len(u)):
        if mode == 0:
            s = s * (1.0 + u[i])
            if s > 1.2:
                mode = 1
        elif mode == 1:
            s = s - u[i] * u[i]
            mode = 2
        else:
            s = np.cos(s)
            mode = 0
    return s * s


def nested_tests(x, y, flag):
    z = 0.0
    if flag:
        if x < y and not (y < 0.0):
            z = x * y
        else:
            z = x / (1.0 + y * y)
    elif x > 0.0 or y > 0.0:
        z = y * y * x
    return z + x


def chained_comparison(x, y):
    return x * y if 0.0 < x < y <= 2.0 else x + y * y


def ternaries(u):
    s = 0.0
    for i in range(len(u)):
        v = u[i] if u[i] > 0.0 else 0.1 * u[i] * u[i]
        s += v * (i if i < 2 else 2)
    return s


def test_value_changed_in_arm(x):
    if x > 0.0:
        x = x - 2.0
        y = x * x
    else:
        x = x + 2.0
        y = x**3
    return y * x


def loop_in_arm(u, x, k):
    s = x
    if k > 0:
        for i in range(len(u)):
            s = s * u[i] + x
    else:
        for i in range(len(u)):
            s += u[i]
    return s * s


def guarded_denominator(u):
    s = 0.0
    for i in range(len(u)):
        if u[i] != 0.0:
            s += np.log(u[i] * u[i])
        else:
            s += 1.0
    return s


def constant_in_one_arm(x, y):
    z = x * y
    if x > 1.0:
        z = 1.0
    return z * y


def boolean_variable(u):
    rising = False
    s = 1.0
    for i in range(1, len(u)):
        if rising and u[i] > 0.0:
            s = s * u[i]
        rising = u[i] > u[i - 1]
        if not rising:
            s = s + u[i] * u[i - 1]
    return s


def named_in_a_test(x, a):
    s = 0.0
    for i in range(4):
        if a > i and (m := x * i) > 1.0 and (k := m * m) < 30.0:
            s += m * k
        elif not (a > 3 and (w := x * x) > 2.0):
            s += x
        else:
            s += w
    if a < 0 or (m := s * s) > 40.0:
        return s * x
    return m * s


CASES = [
    case(active_test, 0.7, 0.2),
    case(active_test, 0.2, 0.7, note="else"),
    case(elif_chain, -0.5),
    case(elif_chain, 0.5, note="second"),
    case(elif_chain, 1.5, note="third"),
    case(elif_chain, 2.5, note="else"),
    case(no_else, 0.7, 0.4),
    case(in_a_loop, vector(5), 0.4, full=True),
    case(state_machine, vector(7)),
    case(nested_tests, 0.4, 0.7, True),
    case(nested_tests, 0.4, -0.7, True, note="else"),
    case(nested_tests, 0.4, -0.7, False, note="elif"),
    case(chained_comparison, 0.4, 0.7),
    case(chained_comparison, 0.9, 0.7, note="else"),
    case(ternaries, vector(4)),
    case(test_value_changed_in_arm, 0.5),
    case(test_value_changed_in_arm, -0.5, note="else"),
    case(loop_in_arm, vector(3), 0.6, 1),
    case(loop_in_arm, vector(3), 0.6, 0, note="else"),
    case(guarded_denominator, np.array([0.5, 0.0, -2.0]), expected={0: np.array([4.0, 0.0, -1.0])}, order=1),
    case(constant_in_one_arm, 0.7, 0.3),
    case(constant_in_one_arm, 1.7, 0.3, note="constant"),
    case(boolean_variable, vector(5)),
    case(named_in_a_test, 1.5, 3.5, full=True),
    case(named_in_a_test, 0.9, 1.0, note="the other way out"),
    case(named_in_a_test, 1.7, -1.0, note="not named"),
]
