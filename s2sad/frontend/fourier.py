"""`np.fft`: transforms along one axis after the other, of arrays that are cut or filled with zeros before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from s2sad.frontend.diagonals import Diagonals
from s2sad.frontend.making import ONE, along
from s2sad.frontend.values import Array, Fresh, Known, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Assign, Const, Expr, Slice, Var
from s2sad.ops.build import sub

#: Function of NumPy -> (method below, the transform along one axis, and how many axes are meant by default).
FOURIER: dict[Any, tuple[str, str]] = {
    np.fft.fft: ("_fourier", "fft 1"), np.fft.ifft: ("_fourier", "ifft 1"),
    np.fft.rfft: ("_fourier", "rfft 1"), np.fft.irfft: ("_fourier", "irfft 1"),
    np.fft.fft2: ("_fourier", "fft 2"), np.fft.ifft2: ("_fourier", "ifft 2"),
    np.fft.rfft2: ("_fourier", "rfft 2"), np.fft.irfft2: ("_fourier", "irfft 2"),
    np.fft.fftn: ("_fourier", "fft 0"), np.fft.ifftn: ("_fourier", "ifft 0"),
    np.fft.rfftn: ("_fourier", "rfft 0"), np.fft.irfftn: ("_fourier", "irfft 0"),
    np.fft.hfft: ("_hermitian", "irfft"), np.fft.ihfft: ("_hermitian", "rfft"),
    np.fft.fftshift: ("_shifted", ""), np.fft.ifftshift: ("_shifted", "back"),
    np.fft.fftfreq: ("_frequencies", ""), np.fft.rfftfreq: ("_frequencies", "half"),
}  # fmt: skip
#: norm= -> whether (forward, inverse) transforms are divided by the length ("n") or its root ("r").
SCALES = {None: ("", "n"), "backward": ("", "n"), "ortho": ("r", "r"), "forward": ("n", "")}


class Fourier(Diagonals):
    """What Fourier transforms give."""

    def _fourier(self, node: gast.Call, which: str) -> Value:
        name, count = which.split()
        given = self.given(node, "a n axis norm" if count == "1" else "a s axes norm")
        base = self.array_at(node, self.expr(given["a"]))
        axes = self._axes_of(node, given.get("axis", given.get("axes")), base.ndim, int(count))
        lengths = self._new_lengths(node, given.get("n", given.get("s")), len(axes))
        if len(lengths) < len(axes):  # the last axes, where lengths are given alone
            axes = axes[len(axes) - len(lengths) :]
        scale = self._scale(node, given.get("norm"), name)
        last = len(axes) - 1
        order = list(range(len(axes)))
        if name == "irfft":
            for k in order[:-1]:
                base = self._one(node, base, "ifft", axes[k], lengths[k], scale)
            return self._one(node, base, "irfft", axes[last], lengths[last], scale)
        for k in reversed(order):
            step = name if k == last else name.removeprefix("r")
            base = self._one(node, base, step, axes[k], lengths[k], scale)
        return base

    def _one(
        self, node: gast.AST, base: Array, name: str, axis: int, length: Expr | None, scale: str
    ) -> Array:
        """One transform along one axis."""
        have = self.shape(base)[axis]
        if name == "irfft":
            n = length if length is not None else Apply("mul", (Const(2), sub(have, ONE)))
            n = self._number(n)
            base = self._resized(base, axis, Apply("add", (Apply("floordiv", (n, Const(2))), ONE)))
            made = Apply("irfft_along", (Var(base.name), n, Const(axis)))
        else:
            base = base if length is None else self._resized(base, axis, length)
            n = self.shape(base)[axis]
            made = Apply(f"{name}_along", (Var(base.name), Const(axis)))
        out = self.array(Fresh(made, base.ndim, True))
        own = "n" if name.startswith("i") else ""  # the division that the transform itself does
        if scale == own:
            return out
        factor: Expr = Apply("sqrt", (n,)) if scale == "r" else n
        step = "div" if own == "" else "mul"
        scaled = self.apply(step, [out, Scalar(factor)], node)
        assert isinstance(scaled, Fresh)
        return self.array(scaled)

    def _number(self, expr: Expr) -> Expr:
        """An integer under a name."""
        if isinstance(expr, Const | Var):
            return expr
        self.emit(Assign(name := self.temporary("n"), expr, self.at))
        return Var(name)

    def _resized(self, base: Array, axis: int, length: Expr) -> Array:
        """An array with another length along an axis: cut off, or with zeros."""
        shape = list(self.shape(base))
        n = self._number(length)
        most = self._number(Apply("minimum", (shape[axis], n), "min"))
        shape[axis] = n
        out = self.room(shape, Var(base.name), zero=True)
        part = along(base.ndim, axis, Slice(None, most))
        value = self.selected(base, part)
        assert isinstance(value, Fresh)
        self.fill(out, part, value.expr)
        return out

    def _axes_of(self, node: gast.Call, given: gast.AST | None, ndim: int, count: int) -> list[int]:
        value = Known(None) if given is None else self.expr(given)
        if value == Known(None):
            return list(range(ndim - count, ndim) if 0 < count <= ndim else range(ndim))
        items = value.items if isinstance(value, Tuple) else (value,)
        found = [v.expr.value for v in items if isinstance(v, Scalar) and isinstance(v.expr, Const)]
        if len(found) < len(items) or not all(type(k) is int and -ndim <= k < ndim for k in found):
            self.refuse(node, "an axis must be a constant, and the array must have it", "S073")
        return [k % ndim for k in found]

    def _new_lengths(self, node: gast.Call, given: gast.AST | None, count: int) -> Sequence[Expr | None]:
        value = Known(None) if given is None else self.expr(given)
        if value == Known(None):
            return [None] * count
        items = value.items if isinstance(value, Tuple) else (value,)
        if len(items) > count:
            self.refuse(node, "there are more lengths than axes", "S073")
        return [self.whole_number(node, item) for item in items]

    def _scale(self, node: gast.Call, given: gast.AST | None, name: str) -> str:
        """By what a transform is divided in the end: nothing, "r" the root of its length, "n" its length."""
        value = Known(None) if given is None else self.expr(given)
        if not isinstance(value, Known) or value.value not in SCALES:
            self.refuse(
                node, "`norm=` must be a text that is known", "S073", 'one of "backward", "ortho", "forward"'
            )
        return SCALES[value.value][name.startswith("i")]

    def _hermitian(self, node: gast.Call, name: str) -> Value:
        given = self.given(node, "a n axis norm")
        base = self.array_at(node, self.expr(given["a"]))
        (axis,) = self._axes_of(node, given.get("axis"), base.ndim, 1)
        (length,) = self._new_lengths(node, given.get("n"), 1)
        forward = name == "irfft"  # of a signal that is its own conjugate, turned round
        scale = self._scale(node, given.get("norm"), "fft" if forward else "ifft")
        if not forward:
            made = self._one(node, base, "rfft", axis, length, scale)
            return self.apply("conj", [made], node, "np.conj")
        turned = self.apply("conj", [base], node, "np.conj")
        assert isinstance(turned, Fresh)
        return self._one(node, self.array(turned), "irfft", axis, length, scale)

    def _shifted(self, node: gast.Call, way: str) -> Value:
        given = self.given(node, "x axes")
        base = self.array_at(node, self.expr(given["x"]))
        for axis in self._axes_of(node, given.get("axes"), base.ndim, 0):
            n = self.shape(base)[axis]
            half = self._number(Apply("floordiv", (n, Const(2))))
            split = half if way else self._number(sub(n, half))  # where the second part begins
            out = self.room(self.shape(base), Var(base.name))
            rest = self._number(sub(n, split))
            for to, come in (
                (Slice(rest, None), Slice(None, split)),
                (Slice(None, rest), Slice(split, None)),
            ):
                value = self.selected(base, along(base.ndim, axis, come))
                assert isinstance(value, Fresh)
                self.fill(out, along(base.ndim, axis, to), value.expr)
            base = out
        return base

    def _frequencies(self, node: gast.Call, which: str) -> Value:
        given = self.given(node, "n d")
        values = self.operands(list(given.values()))
        n = self._number(self.whole_number(node, values[0]))
        d = self.scalar_of(values[1], node) if "d" in given else Const(1.0)
        self.emit(
            Assign(step := self.temporary("step"), Apply("div", (Const(1.0), Apply("mul", (n, d)))), self.at)
        )
        half = Apply("floordiv", (n, Const(2)))
        count: Expr = Apply("add", (half, ONE)) if which else n
        out = self.room((self._number(count),), Const(0.0))
        turn = self._number(Apply("add", (Apply("floordiv", (sub(n, ONE), Const(2))), ONE)))
        with self.counting(self.shape(out)[0]) as k:
            number = k if which else Apply("where", (Apply("lt", (k, turn)), k, sub(k, n)))
            self.fill(out, (k,), Apply("mul", (number, Var(step))))
        return out
