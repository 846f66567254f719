"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to packed.

kept         where  bytes  why
p (line 13)  slot   8 * n  carried by the loop
"""

from s2sad_runtime import guarded, hold, int_slots, jit, new_arena, require, take_int, zeros_of

require(1)


@jit
def f(packed, n):
    """A quadratic form, its upper triangle packed by rows."""
    s = 0.0
    p = 0
    for i in range(n):
        for j in range(i, n):
            s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            p += 1
    return s


@jit(inner=True)
def f_fwd(packed, n, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    s = 0.0
    p = 0
    p_s = int_slots(arena, (n,))
    for i in range(n):
        p_s[i] = p
        for j in range(i, n):
            s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            p += 1
    hold(arena, p_s)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(packed, n, packed_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    p_s = take_int(arena, 1)
    for i in range(n):
        # line 13: for i in range(n):
        p = p_s[i]
        for j in range(i, n):
            # line 14: for j in range(i, n):
            p_2 = p + j - i
            # line 15: s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            packed_b[p_2] += 2.0 * s_b * packed[p_2] * (i + 1.0) / (j + 2.0)


@jit
def f_grad(packed, n):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), packed, n, arena)
    packed_b = zeros_of(packed)
    guarded(f_rev, (arena,), packed, n, packed_b, 1.0, arena)
    return s, (packed_b,)
