"""Expressions: gast to values.

What can't stand inside an IR expression goes into statements before it: calls written out, conditional
expressions, arrays that need a name. Evaluation order is kept (`Reader.operands`).
"""

from __future__ import annotations

import builtins
import operator
import types
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gast

from s2sad import library
from s2sad.errors import KindError
from s2sad.forms import is_named, names_of
from s2sad.frontend.lists import Lists
from s2sad.frontend.read import define
from s2sad.frontend.reader import described, disturbs, is_atomic
from s2sad.frontend.values import (
    Array,
    Closure,
    Fresh,
    Growing,
    Known,
    Lost,
    Scalar,
    Struct,
    Tuple,
    Value,
    is_list,
    meet,
    truth,
)
from s2sad.ir.nodes import Apply, Assign, Const, Expr, If, Stmt, Var

BINARY = {"Add": "add", "Sub": "sub", "Mult": "mul", "Div": "div", "FloorDiv": "floordiv", "Mod": "mod",
          "Pow": "pow", "BitAnd": "bit_and", "BitOr": "bit_or", "BitXor": "bit_xor"}  # fmt: skip
INTEGER: dict[str, Any] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv,
    "mod": operator.mod, "neg": operator.neg, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge, "eq": operator.eq, "ne": operator.ne, "minimum": min, "maximum": max,
}  # fmt: skip
COMPARISONS = {"Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge", "Eq": "eq", "NotEq": "ne"}


class Held(gast.AST):  # type: ignore[misc]
    """A value that has been taken, in place of its expression."""

    item: Value


class Expressions(Lists):
    """One method per expression node."""

    @abstractmethod
    def assign(self, target: gast.AST, value: Value) -> None:
        """Assign to a target of any form."""

    def expr(self, node: gast.AST) -> Value:
        """The value of an expression."""
        method = getattr(self, f"expr_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, f"`{type(node).__name__}` is not supported", "S010")
        value: Value = method(node)
        return value

    # ----- names and constants -----------------------------------------------------------------------------

    def expr_Constant(self, node: gast.Constant) -> Value:
        if node.value is None or isinstance(node.value, str):
            return Known(node.value)
        if node.value is Ellipsis:
            self.refuse(node, "`...` is not supported here", "S037")
        return self.baked(node.value, "", node, plain=True)

    def expr_Name(self, node: gast.Name) -> Value:
        value = self.frame.lookup(node.id)
        if isinstance(value, Lost):
            self.refuse(node, f"`{node.id}` {value.why}", value.code)
        if value is not None:
            return value
        if self.frame.owns(node.id):
            self.refuse(node, f"`{node.id}` has no value yet", "S051")
        return self.baked(self._outside(node), node.id, node)

    def _outside(self, node: gast.Name) -> Any:
        function = self.frame.function
        if node.id in function.__code__.co_freevars:
            cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
            try:
                return cells[node.id].cell_contents
            except ValueError:
                self.refuse(node, f"`{node.id}` is not bound yet", "S050")
        if node.id in function.__globals__:
            return function.__globals__[node.id]
        if hasattr(builtins, node.id):
            return getattr(builtins, node.id)
        self.refuse(node, f"the name `{node.id}` is not known", "S050")

    def expr_Attribute(self, node: gast.Attribute) -> Value:
        return self.attribute(node, self.expr(node.value))

    def product(self, node: gast.AST, kind: str, values: list[Value], spell: str = "") -> Value:
        """A product of arrays; defined in `products`."""
        raise TypeError(kind)

    def attribute(self, node: gast.Attribute, base: Value) -> Value:
        """`base.attr`."""
        match base:
            case Known(types.ModuleType() as module):
                if not hasattr(module, node.attr):
                    self.refuse(node, f"`{module.__name__}` has no `{node.attr}`", "S050")
                standard = module.__name__.partition(".")[0] in ("math", "numpy", "scipy")
                return self.baked(getattr(module, node.attr), node.attr, node, plain=standard)
            case Known(known) if library.has_methods(known) and hasattr(known, node.attr):
                return Known(getattr(known, node.attr))
            case Array() | Fresh():
                return self._of_array(node, base)
            case Scalar(expr) if node.attr in ("real", "imag"):
                return Scalar(Apply(node.attr, (expr,)))
            case Struct(Tuple(make=type())) if (item := base.item(node.attr)) is not None:
                return item
            case Tuple(items, make) if is_named(make) and node.attr in names_of(make):
                return items[names_of(make).index(node.attr)]
        self.refuse(node, f"the attribute `{node.attr}` of {described(base)} is not supported", "S041")

    def _of_array(self, node: gast.Attribute, base: Array | Fresh) -> Value:
        if node.attr == "ndim":
            return Scalar(Const(base.ndim))
        if node.attr in ("shape", "size"):
            lengths = self.shape(self.array(base))
            if node.attr == "shape":
                return Tuple(tuple(map(Scalar, lengths)))
            size = lengths[0]
            for length in lengths[1:]:
                size = Apply("mul", (size, length))
            return Scalar(size)
        if node.attr == "T":
            return self.transposed(base)
        if node.attr in ("real", "imag"):
            return self.part(base, node.attr)
        if node.attr == "flat":
            self.refuse(
                node, f"`.{node.attr}` is a view of its array", "S030", "write a loop over the elements"
            )
        self.refuse(node, f"the attribute `{node.attr}` of an array is not supported", "S041")

    @abstractmethod
    def transposed(self, base: Array | Fresh) -> Value:
        """`base.T`."""

    @abstractmethod
    def part(self, base: Array | Fresh, name: str) -> Value:
        """`base.real` or `base.imag`, a view."""

    def shape(self, base: Array) -> tuple[Expr, ...]:
        """The lengths of an array's axes."""
        return tuple(Apply("shape", (Var(base.name), Const(k))) for k in range(base.ndim))

    # ----- operations --------------------------------------------------------------------------------------

    def apply(self, op: str, values: list[Value], node: gast.AST, spell: str = "") -> Value:
        """An elementwise operation: a number, or an array where an operand is one."""
        args: list[Expr] = []
        ndim = 0
        for value in values:
            if isinstance(value, Fresh) and value.whole:
                value = self.array(value)
            match value:
                case Scalar(expr):
                    args.append(expr)
                case Array(name):
                    args.append(Var(name))
                case Fresh(expr):
                    args.append(expr)
                case _:
                    self.refuse(
                        node, f"the operation is not defined for {described(value)}", "S064", error=KindError
                    )
            if isinstance(value, Array | Fresh):
                ndim = max(ndim, value.ndim)
        if library.belongs(self.frame.function) and (decided := worked_out(op, args)) is not None:
            return Scalar(decided)
        expr = Apply(op, tuple(args), spell)
        return Fresh(expr, ndim) if ndim else Scalar(expr)

    def expr_BinOp(self, node: gast.BinOp) -> Value:
        values = self.operands((node.left, node.right))
        own = self.overloaded(node, values)
        if own is not None:
            return own
        if isinstance(node.op, gast.MatMult):
            if any(isinstance(value, Array | Fresh) for value in values):
                values = [self.array_of(node, value) if is_list(value) else value for value in values]
            return self.product(node, "dot", values)
        if any(isinstance(value, Growing | Tuple) for value in values):
            return self.of_lists(node, BINARY[type(node.op).__name__], *values)
        return self.apply(BINARY[type(node.op).__name__], values, node)

    @abstractmethod
    def of_lists(self, node: gast.BinOp, op: str, one: Value, other: Value) -> Value:
        """`x + y` of lists or tuples, `x * n`."""

    def overloaded(self, node: gast.AST, values: list[Value]) -> Value | None:
        """The value of an operator that a class defines; see `members`."""
        return None

    def expr_UnaryOp(self, node: gast.UnaryOp) -> Value:
        if isinstance(node.op, gast.Not):
            value = self.test(node.operand)
            known = truth(value)
            return Scalar(Const(not known)) if known is not None else self.logic("not", [value], node)
        value = self.expr(node.operand)
        own = self.overloaded(node, [value])
        if own is not None:
            return own
        if isinstance(node.op, gast.Invert):
            if not isinstance(value, Array | Fresh):
                self.refuse(node, "`~` is supported for arrays", "S039", "use `not`")
            return self.apply("bit_not", [value], node)
        negative = isinstance(node.op, gast.USub)
        if (
            isinstance(value, Scalar)
            and isinstance(value.expr, Const)
            and not isinstance(value.expr.value, bool)
        ):
            return Scalar(Const(-value.expr.value)) if negative else value
        return self.apply("neg" if negative else "pos", [value], node)

    def expr_Compare(self, node: gast.Compare) -> Value:
        if len(node.ops) == 1:
            left, right = self.operands((node.left, node.comparators[0]))
            return self.compare(node.ops[0], left, right, node)
        left, middle = self.operands((node.left, node.comparators[0]))
        return self._chain(node, left, self._once(middle), 0)

    def _chain(self, node: gast.Compare, left: Value, right: Value, k: int) -> Value:
        """`left < right < ...` from the k-th operator on; each operand is evaluated once, and only when needed."""
        first = self.compare(node.ops[k], left, right, node)
        if k == len(node.ops) - 1:
            return first
        with self.perhaps() as stmts:
            following = self.expr(node.comparators[k + 1])
            if disturbs(stmts, right):
                right = self.taken(right, node, 0)
            if k + 2 < len(node.ops):
                following = self._once(following)
            rest = self._chain(node, right, following, k + 1)
        return self.both("and", first, stmts, rest, node)

    def _once(self, value: Value) -> Value:
        return value if is_atomic(value) else self.spill(value)

    def compare(self, op: gast.AST, left: Value, right: Value, node: gast.AST) -> Value:
        """One comparison; what is known now is settled now."""
        name = type(op).__name__
        if name in ("In", "NotIn"):
            if not isinstance(right, Struct):
                self.refuse(
                    node, f"`{'in' if name == 'In' else 'not in'}` is supported with a dict only", "S039"
                )
            return Scalar(Const(self.has_key(node, left, right) == (name == "In")))
        equal = name in ("Is", "Eq")
        if name in ("Is", "IsNot", "Eq", "NotEq"):
            for one, other in ((left, right), (right, left)):
                if one == Known(None):
                    return Scalar(Const((other == Known(None)) == equal))
            if name in ("Is", "IsNot"):
                self.refuse(node, "`is` is supported with None only", "S039", "use `==`")
            if isinstance(left, Known) and isinstance(right, Known):
                return Scalar(Const((left.value == right.value) is equal))
        return self.apply(COMPARISONS[name], [left, right], node)

    # ----- conditions --------------------------------------------------------------------------------------

    @abstractmethod
    def has_key(self, node: gast.AST, key: Value, base: Struct) -> bool:
        """`key in d`."""

    def test(self, node: gast.AST) -> Value:
        """The value of a condition: a number whose truth counts, or something known."""
        value = self.expr(node)
        if isinstance(value, Growing):
            return Scalar(Apply("gt", (Var(value.count), Const(0))))
        if isinstance(value, Tuple) and value.make is list:
            return Scalar(Const(bool(value.items)))
        if isinstance(value, Array | Fresh | Tuple):
            self.refuse(node, f"{described(value)} can't be a condition", "S064", error=KindError)
        return value

    def logic(self, op: str, values: list[Value], node: gast.AST) -> Value:
        """An operation on conditions."""
        if any(not isinstance(value, Scalar) for value in values):
            self.refuse(node, f"`{op}` is defined for numbers", "S064", error=KindError)
        return self.apply(op, values, node)

    def expr_BoolOp(self, node: gast.BoolOp) -> Value:
        op = "and" if isinstance(node.op, gast.And) else "or"
        result: Value = self.test(node.values[0])
        for operand in node.values[1:]:
            known = truth(result)
            if known is not None:
                if known != (op == "and"):
                    return result
                result = self.test(operand)
                continue
            with self.perhaps() as stmts:
                value = self.test(operand)
            result = self.both(op, result, stmts, value, node)
        return result

    @contextmanager
    def perhaps(self) -> Iterator[list[Stmt]]:
        """A block that is run on one path only."""
        before = self.frame.env
        self.frame.env = dict(before)
        with self.block() as stmts:
            yield stmts
        self.frame.env = meet(before, [self.frame.env, before])

    def both(self, op: str, left: Value, stmts: list[Any], right: Value, node: gast.AST) -> Value:
        """`left op right`, where `stmts` belong to the right side and run only if it is evaluated."""
        known = truth(left)
        if known is not None and known == (op == "and"):
            self.emit(*stmts)
            return right
        if known is not None:
            return left
        if not stmts:
            decided = truth(right)
            return (
                Scalar(Const(decided))
                if decided == (op == "or")
                else self.logic(op, [left, self._bool(right)], node)
            )
        if not isinstance(left, Scalar):
            self.refuse(node, f"`{op}` is defined for numbers", "S064", error=KindError)
        right = self._bool(right)
        if not isinstance(right, Scalar):
            self.refuse(node, f"`{op}` is defined for numbers", "S064", error=KindError)
        name = self.temporary("c")
        test: Expr = Var(name) if op == "and" else Apply("not", (Var(name),))
        self.emit(Assign(name, left.expr, self.at))
        self.emit(If(test, (*stmts, Assign(name, right.expr, self.at)), (), self.at))
        return Scalar(Var(name))

    def _bool(self, value: Value) -> Value:
        known = truth(value)
        return value if known is None else Scalar(Const(known))

    def expr_IfExp(self, node: gast.IfExp) -> Value:
        return self.choice(node, None)

    def choice(self, node: gast.IfExp, into: str | None) -> Value:
        """A conditional expression: an If whose arms assign to `into`, or to a temporary."""
        test = self.test(node.test)
        known = truth(test)
        if known is not None:
            return self.expr(node.body if known else node.orelse)
        into = into or self.temporary()
        arms = []
        values = []
        before, ways = dict(self.frame.env), []
        for arm in (node.body, node.orelse):
            self.frame.env = dict(before)
            with self.block() as stmts:
                value = self.choice(arm, into) if isinstance(arm, gast.IfExp) else self.expr(arm)
                values.append(self.bind(into, value, arm))
            arms.append(tuple(stmts))
            ways.append(self.frame.env)
        self.frame.env = meet(before, ways)
        if any(isinstance(value, Known) and isinstance(value.value, str) for value in values):
            self.refuse(node, "a text can't depend on what is computed", "S064",
                        "write an `if` with what each of them means", KindError)  # fmt: skip
        if not isinstance(test, Scalar) or not _alike(*values):
            self.refuse(
                node,
                "both arms must be numbers, or arrays of one number of dimensions",
                "S064",
                error=KindError,
            )
        self.emit(If(test.expr, arms[0], arms[1], self.at))
        return values[0]

    def expr_NamedExpr(self, node: gast.NamedExpr) -> Value:
        self.assign(node.target, self.expr(node.value))
        return self.expr_Name(node.target)

    # ----- tuples, functions -------------------------------------------------------------------------------

    def expr_Tuple(self, node: gast.Tuple) -> Value:
        values = self.operands(e.value if isinstance(e, gast.Starred) else e for e in node.elts)
        items: list[Value] = []
        for element, value in zip(node.elts, values, strict=True):
            if not isinstance(element, gast.Starred):
                items.append(value)
            elif isinstance(value, Tuple):
                items += value.items
            else:
                self.refuse(element, f"{described(value)} can't be taken apart here", "S033")
        return Tuple(tuple(items))

    def expr_Starred(self, node: gast.Starred) -> Value:
        self.refuse(node, "`*` is not supported here", "S033")

    def expr_GeneratorExp(self, node: gast.GeneratorExp) -> Value:
        self.refuse(node, "a generator expression is not supported here", "S032",
                    "write it as a list: `[... for ... in ...]`")  # fmt: skip

    def expr_Held(self, node: Held) -> Value:
        return node.item

    def expr_Lambda(self, node: gast.Lambda) -> Value:
        return self.closure(define(node, "lambda"))

    def closure(self, node: gast.FunctionDef) -> Closure:
        """A function defined here; its defaults are evaluated now."""
        defaults = tuple(self.spill(v) for v in self.operands(node.args.defaults))
        kw = tuple(None if d is None else self.spill(self.expr(d)) for d in node.args.kw_defaults)
        return Closure(node, self.frame, defaults, kw)

    def expr_Call(self, node: gast.Call) -> Value:
        return self.call(node)


def worked_out(op: str, args: list[Expr]) -> Const | None:
    """The value of an operation on integers that are known now."""
    values = [arg.value for arg in args if isinstance(arg, Const) and isinstance(arg.value, int)]
    if op not in INTEGER or len(values) < len(args):
        return None
    try:
        return Const(INTEGER[op](*values))
    except ZeroDivisionError:
        return None


def _alike(one: Value, other: Value) -> bool:
    match one, other:
        case (Scalar(), Scalar()) | (Known(), Known()) if isinstance(one, Scalar) or one == other:
            return True
        case Array(ndim=a), Array(ndim=b):
            return a == b
        case Tuple(a, make), Tuple(b, made):
            return make == made and len(a) == len(b) and all(map(_alike, a, b))
    return one is other
