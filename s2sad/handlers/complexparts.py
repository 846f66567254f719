"""Complex numbers on a tape: two real ones, so a complex number has two indices, and a statement of one is two.

An operation of the table is analytic: with slope p, a change dw of an operand gives p dw, whose parts are linear in
those of dw. Real and imaginary parts, conjugates and moduli are linear over the reals alone.
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.handlers.linear import NONE, Linear, refused
from s2sad.ir.nodes import INT, Apply, Assign, Call, Const, Expr, Stmt, Var
from s2sad.ir.walk import map_expr, variables
from s2sad.ops.build import ZERO, is_zero, mul, neg, number
from s2sad.ops.complexes import PARTS
from s2sad.ops.kinds import is_complex
from s2sad.ops.pullback import partials


class ComplexParts(Linear):
    """Records assignments with complex numbers in them."""

    imaginary: dict[str, str]
    held: dict[str, str]

    def complex_scalar(self, s: Assign, old: Expr) -> None:
        """`z = phi(w, x)` where z or an operand is complex."""
        value, targets = s.value, [self.index[s.target]]
        if s.target in self.imaginary:
            targets.append(self.imaginary[s.target])
        olds = [NONE if old == NONE else Var(t) for t in targets]
        self.held, ends = {}, list[Stmt]()
        if isinstance(value, Var):
            self.emit(s)
            for target, before, index in zip(targets, olds, self.both(value), strict=False):
                self.emit(Assign(target, Apply(self.COPY, (Var(self.tape), before, index)), s.at))
            return
        own = s.target in variables(value)
        if own:  # both parts of the old value are read by both statements
            for target in targets:
                copy = self.held[target] = self.declare("t_i", INT)
                self.emit(Assign(copy, Apply(self.COPY, (Var(self.tape), NONE, Var(target))), s.at))
            ends.append(Call((), "free", (Var(self.tape), *map(Var, self.held.values())), at=s.at))
        lines = [
            Assign(target, self.put(before, part), s.at)
            for target, before, part in zip(targets, olds, self.parts(s), strict=False)
        ]
        self.emit(*((*lines, s) if own else (s, *lines)), *ends)

    def both(self, leaf: Var) -> tuple[Expr, Expr]:
        """The indices of the two parts of a leaf; none of what is passive, or has no imaginary part."""
        if not self.wanted(leaf):
            return NONE, NONE
        parts = (self.index[leaf.name], self.imaginary.get(leaf.name, ""))
        one, other = (self.held.get(part, part) for part in parts)
        return Var(one), Var(other) if other else NONE

    def parts(self, s: Assign) -> tuple[list[Expr], list[Expr]]:
        """(index, partial) of each argument of the real part, and of the imaginary part."""
        match s.value:
            case Apply(op=op, args=(z,)) if op in (*PARTS, "abs") and is_complex(z, self.kinds):
                slopes = partials(z, self.wanted)
                if op == "abs":
                    none = Apply("eq", (s.value, ZERO))
                    turn = Apply("where", (none, Const(0j), Apply("conj", (z,))))
                    size = Apply("where", (none, Const(1.0), s.value))
                    slopes = {w: Apply("div", (mul(turn, p), size)) for w, p in slopes.items()}
                real, imaginary = self.along(slopes, s)
                if op == "imag":
                    return imaginary, []
                return real, [neg(e) if k % 2 else e for k, e in enumerate(imaginary)]  # (of `conj`)
        return self.along(partials(s.value, self.wanted), s)

    def along(self, slopes: dict[Expr, Expr], s: Assign) -> tuple[list[Expr], list[Expr]]:
        """The same for the slopes of an analytic expression."""
        real: list[Expr] = []
        imaginary: list[Expr] = []
        for leaf, p in slopes.items():
            if isinstance(leaf, Var):
                one, other = self.both(leaf)
            elif is_complex(leaf, self.kinds):
                raise refused("arrays of complex numbers", s.at)
            else:
                one, other = self.index_of(leaf), NONE
            re, im = self.part("real", p), self.part("imag", p)
            for pairs, index, slope in (
                (real, one, re), (imaginary, one, im), (real, other, neg(im)), (imaginary, other, re),
            ):  # fmt: skip
                if index != NONE and not is_zero(slope):
                    pairs += [index, slope]
        return real, imaginary

    def part(self, which: str, p: Expr) -> Expr:
        """The real or the imaginary part of a slope."""
        if isinstance(p, Const) and isinstance(p.value, complex):
            return Const(float(getattr(p.value, which)))
        if is_complex(p, self.kinds):
            return Apply(which, (silent(p),))
        return silent(p) if which == "real" else ZERO


def silent(slope: Expr) -> Expr:
    """A partial derivative that may be infinite, and raises nothing where the function itself doesn't."""

    def quiet(node: Expr) -> Expr:
        match node:
            case Apply(op="div", args=(_, b), spell="") if number(b) is None:
                return replace(node, spell="np.divide")
            case Apply(op="pow", args=(_, n), spell="") if not harmless(n):
                return replace(node, spell="np.power")
        return node

    return map_expr(quiet, slope)


def harmless(exponent: Expr) -> bool:
    """Can a power with this exponent never be a division by zero?"""
    value = number(exponent)
    return value is not None and not isinstance(value, complex) and value >= 0
