r"""Python text from an `ast`, as one would write it; the one user of astunparse.

Few parentheses, comments, docstrings, at most 100 columns.

Statements may carry attributes of ours:

note    comment on lines of its own above the statement (also above an `elif`)
trail   comment at the end of the statement's first line
gap     number of blank lines wanted above it
at      where in the user's source it comes from: `printed` tells it for each line

>>> tree = ast.parse("if p:\n    y = (a * b) + (c ** 2)\nelse:\n    y = -(a[(i), 1:n])")
>>> tree.body[0].body[0].note = "line 12: y = a*b + c**2"
>>> print(to_source(tree), end="")
if p:
    # line 12: y = a*b + c**2
    y = a * b + c**2
else:
    y = -a[i, 1:n]
"""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
from collections.abc import Callable, Sequence

import astunparse

from s2sad.emit.layout import STEP, WIDTH, Doc, Group, enclose, layout
from s2sad.source import NOWHERE, Span

# How tightly expressions bind, loosest first.
TEST, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, TERM, UNARY, POWER, ATOM = range(14)

_LEVELS: dict[type[ast.AST], int] = {
    ast.IfExp: TEST, ast.Or: OR, ast.And: AND, ast.Not: NOT, ast.Compare: COMPARE,
    ast.BitOr: BIT_OR, ast.BitXor: BIT_XOR, ast.BitAnd: BIT_AND, ast.LShift: SHIFT, ast.RShift: SHIFT,
    ast.Add: SUM, ast.Sub: SUM, ast.Mult: TERM, ast.Div: TERM, ast.FloorDiv: TERM, ast.Mod: TERM,
    ast.MatMult: TERM, ast.USub: UNARY, ast.UAdd: UNARY, ast.Invert: UNARY, ast.Pow: POWER,
}  # fmt: skip

_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def to_source(tree: ast.AST) -> str:
    """The text of a module, statement or expression, ending in a newline."""
    return Printer(tree).text()


def printed(tree: ast.AST) -> tuple[str, tuple[Span, ...]]:
    """The text of `to_source`, and where each of its lines comes from (NOWHERE: from nowhere in particular)."""
    printer = Printer(tree)
    text = printer.text()
    places = [NOWHERE] * len(printer._lines)
    for line, at in printer.origins.items():
        places[line] = at
    return text, tuple(places)


def level(node: ast.expr) -> int:
    """How tightly `node` binds when it is printed without parentheses."""
    match node:
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.BoolOp(op=op):
            return _LEVELS[type(op)]
        case ast.Constant(value=int() | float() as value) if str(value).startswith("-"):
            return UNARY
    return _LEVELS.get(type(node), ATOM)


def quoted(text: str) -> str:
    """A string literal, in double quotes where that needs no more escapes."""
    literal = repr(text)
    return f'"{literal[1:-1]}"' if literal[0] == "'" and '"' not in text else literal


class Printer(astunparse.Unparser):  # type: ignore[misc]
    """Collects each logical line as a document and lays it out when the next one begins."""

    def __init__(self, tree: ast.AST) -> None:
        self._lines: list[str] = []
        self._parts: list[Doc] = []  # of the line being printed
        self._trail = self._next_trail = ""
        self._margin = 0
        self._previous: ast.stmt | None = None  # in the same block
        self._at = NOWHERE  # of the line being printed
        self.origins: dict[int, Span] = {}  # number of a line from 0 -> where it comes from
        super().__init__(tree, file=io.StringIO())

    def text(self) -> str:
        self._flush()
        return "\n".join(self._lines) + "\n"

    # ----- lines ---------------------------------------------------------------------------------------

    def fill(self, text: str = "") -> None:
        self._flush()
        self._margin = STEP * self._indent
        self._trail, self._next_trail = self._next_trail, ""
        self.write(text)

    def write(self, text: str) -> None:
        if text and text != "\n":  # astunparse's own blank lines; ours come from `_separate`
            self._parts.append(text)

    def enter(self) -> None:
        super().enter()
        self._previous = None

    def _flush(self) -> None:
        if not self._parts:
            return
        lines = layout(tuple(self._parts), self._margin).split("\n")
        lines[0] = " " * self._margin + lines[0]
        if self._trail:
            if len(lines[0]) + len(self._trail) + 4 <= WIDTH:
                lines[0] += f"  # {self._trail}"
            else:
                self._comment(self._trail, self._margin)
        if self._at:
            self.origins |= dict.fromkeys(range(len(self._lines), len(self._lines) + len(lines)), self._at)
        self._lines.extend(lines)
        self._parts, self._trail = [], ""

    def _comment(self, text: str, margin: int) -> None:
        for line in text.splitlines():
            for piece in textwrap.wrap(line, WIDTH - margin - 2) or [""]:
                if self._at:
                    self.origins[len(self._lines)] = self._at
                self._lines.append(f"{' ' * margin}# {piece}".rstrip())

    # ----- statements ----------------------------------------------------------------------------------

    def dispatch(self, tree: ast.AST | Sequence[ast.AST]) -> None:
        if isinstance(tree, ast.stmt):
            self._flush()
            self._separate(tree)
            self._at = getattr(tree, "at", NOWHERE)
            self._remarks(tree)
            super().dispatch(tree)
            self._previous = tree
        elif isinstance(tree, ast.expr):
            self._parts.append(self._captured(super().dispatch, tree))
        else:
            super().dispatch(tree)

    def _separate(self, stmt: ast.stmt) -> None:
        before = self._previous
        if before is None:
            return
        blank = getattr(stmt, "gap", 0)
        if isinstance(before, _DEFS) or isinstance(stmt, _DEFS):
            blank = max(blank, 1 if self._indent else 2)
        elif not self._indent and (_is_text(before) or _kind(before) != _kind(stmt)):
            blank = max(blank, 1)
        self._lines.extend([""] * blank)

    def _remarks(self, stmt: ast.stmt) -> None:
        self._comment(getattr(stmt, "note", ""), STEP * self._indent)
        self._next_trail = getattr(stmt, "trail", "")

    def _Module(self, tree: ast.Module) -> None:
        self._suite(tree)

    def _FunctionDef(self, t: ast.FunctionDef) -> None:
        for decorator in t.decorator_list:
            self.fill("@")
            self.dispatch(decorator)
        self.fill(f"def {t.name}")
        self._arguments(t.args, "(", ")")
        if t.returns:
            self.write(" -> ")
            self.dispatch(t.returns)
        self.enter()
        self._suite(t)
        self.leave()

    def _suite(self, owner: ast.Module | ast.FunctionDef) -> None:
        """A body that may begin with a docstring."""
        body = owner.body
        if body and _is_text(body[0]):
            self._docstring(body[0].value.value)  # type: ignore[attr-defined]
            self._previous, body = body[0], body[1:]
        self.dispatch(body)

    def _docstring(self, text: str) -> None:
        self._flush()
        margin = " " * (STEP * self._indent)
        text = inspect.cleandoc(text).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        lines = [piece for line in text.split("\n") for piece in _wrapped(line, WIDTH - len(margin) - 6)]
        if len(lines) > 1:
            lines.append("")
        elif lines[0].endswith('"'):
            lines[0] = lines[0][:-1] + '\\"'
        lines[0] = '"""' + lines[0]
        lines[-1] += '"""'
        self._lines.extend((margin + line).rstrip() for line in lines)

    def _Assign(self, t: ast.Assign) -> None:
        self.fill()
        for target in t.targets:
            self._loose(target)
            self.write(" = ")
        self._loose(t.value)

    def _Return(self, t: ast.Return) -> None:
        self.fill("return")
        if t.value:
            self.write(" ")
            self._loose(t.value)

    def _If(self, t: ast.If) -> None:
        self.fill("if ")
        while True:
            self.dispatch(t.test)
            self._block(t.body)
            if len(t.orelse) != 1 or not isinstance(t.orelse[0], ast.If):
                break
            t = t.orelse[0]
            self._flush()
            self._remarks(t)
            self.fill("elif ")
        if t.orelse:
            self.fill("else")
            self._block(t.orelse)

    def _block(self, body: list[ast.stmt]) -> None:
        self.enter()
        self.dispatch(body)
        self.leave()

    def _ImportFrom(self, t: ast.ImportFrom) -> None:
        self.fill(f"from {'.' * t.level}{t.module or ''} import ")
        names = tuple(f"{a.name} as {a.asname}" if a.asname else a.name for a in t.names)
        self._parts.append(Group(names, comma=True) if names != ("*",) else "*")

    # ----- expressions ---------------------------------------------------------------------------------

    def _captured(self, method: Callable[..., None], node: ast.AST) -> tuple[Doc, ...]:
        outer, self._parts = self._parts, []
        method(node)
        parts, self._parts = self._parts, outer
        return tuple(parts)

    def _operand(self, node: ast.expr, least: int) -> Doc:
        """`node`, in parentheses unless it binds at least as tightly as `least`."""
        doc = self._captured(self.dispatch, node)
        return doc if level(node) >= least else enclose("(", doc, ")")

    def _loose(self, node: ast.expr) -> None:
        """An expression where a tuple needs no parentheses."""
        if isinstance(node, ast.Tuple) and len(node.elts) > 1:
            self._parts.append(self._series(node.elts))
        else:
            self.dispatch(node)

    def _series(self, elts: list[ast.expr], open: str = "", close: str = "") -> Doc:
        if not elts:
            return open + close
        return Group(tuple(self._captured(self.dispatch, e) for e in elts), open, close, comma=True)

    def _chain(self, first: Doc, *rest: tuple[str, Doc]) -> None:
        self._parts.append(Group((first, *((f"{word} ", doc) for word, doc in rest))))

    def _BinOp(self, t: ast.BinOp) -> None:
        own = level(t)
        word = self.binop[type(t.op).__name__]
        if own == POWER:
            right = t.right.operand if isinstance(t.right, ast.UnaryOp) else t.right
            gap = "" if _is_simple(t.left) and _is_simple(right) else " "
            self._parts += [self._operand(t.left, ATOM), f"{gap}{word}{gap}", self._operand(t.right, UNARY)]
            return
        rest = [(word, self._operand(t.right, own + 1))]
        left = t.left
        while isinstance(left, ast.BinOp) and level(left) == own:
            rest.append((self.binop[type(left.op).__name__], self._operand(left.right, own + 1)))
            left = left.left
        self._chain(self._operand(left, own), *reversed(rest))

    def _UnaryOp(self, t: ast.UnaryOp) -> None:
        word = self.unop[type(t.op).__name__]
        self.write("not " if word == "not" else word)
        self._parts.append(self._operand(t.operand, level(t)))

    def _BoolOp(self, t: ast.BoolOp) -> None:
        first, *rest = (self._operand(value, level(t) + 1) for value in t.values)
        self._chain(first, *((self.boolops[type(t.op)], doc) for doc in rest))

    def _Compare(self, t: ast.Compare) -> None:
        words = (self.cmpops[type(op).__name__] for op in t.ops)
        rest = (self._operand(e, BIT_OR) for e in t.comparators)
        self._chain(self._operand(t.left, BIT_OR), *zip(words, rest, strict=True))

    def _IfExp(self, t: ast.IfExp) -> None:
        test, other = self._operand(t.test, OR), self._operand(t.orelse, TEST)
        self._chain(self._operand(t.body, OR), ("if", test), ("else", other))

    def _Attribute(self, t: ast.Attribute) -> None:
        number = isinstance(t.value, ast.Constant) and isinstance(t.value.value, int)
        self._parts += [self._operand(t.value, ATOM + number), f".{t.attr}"]

    def _Call(self, t: ast.Call) -> None:
        args = tuple(self._captured(self.dispatch, a) for a in [*t.args, *t.keywords])
        self._parts.append(self._operand(t.func, ATOM))
        self._parts.append(Group(args, "(", ")", comma=True) if args else "()")

    def _Subscript(self, t: ast.Subscript) -> None:
        self._parts.append(self._operand(t.value, ATOM))
        index = t.slice
        if isinstance(index, ast.Tuple) and len(index.elts) > 1:
            self._parts.append(self._series(index.elts, "[", "]"))
        elif isinstance(index, ast.Tuple) and index.elts:
            self._parts.append(Group(((self._captured(self.dispatch, index.elts[0]), ","),), "[", "]"))
        else:
            self._parts.append(Group((self._captured(self.dispatch, index),), "[", "]"))

    def _Starred(self, t: ast.Starred) -> None:
        self._parts += ["*", self._operand(t.value, BIT_OR)]

    def _Tuple(self, t: ast.Tuple) -> None:
        if len(t.elts) == 1:
            self._parts.append(Group(((self._captured(self.dispatch, t.elts[0]), ","),), "(", ")"))
        else:
            self._parts.append(self._series(t.elts, "(", ")"))

    def _List(self, t: ast.List) -> None:
        self._parts.append(self._series(t.elts, "[", "]"))

    def _Set(self, t: ast.Set) -> None:
        self._parts.append(self._series(t.elts, "{", "}"))

    def _comprehension(self, t: ast.comprehension) -> None:
        self._parts += [" for ", self._captured(self.dispatch, t.target), " in ", self._operand(t.iter, OR)]
        for test in t.ifs:
            self._parts += [" if ", self._operand(test, OR)]

    def _Constant(self, t: ast.Constant) -> None:
        if not isinstance(t.value, str):
            super()._Constant(t)
            return
        pieces = tuple(map(quoted, _pieces(t.value)))
        self._parts.append(Group(pieces, whole=quoted(t.value)) if len(pieces) > 1 else quoted(t.value))

    def _JoinedStr(self, t: ast.JoinedStr) -> None:
        self.write(ast.unparse(t))

    def _arguments(self, t: ast.arguments, open: str = "", close: str = "") -> None:
        parts = self._captured(super()._arguments, t)
        items: list[tuple[Doc, ...]] = [()]
        for part in parts:
            if part == ", ":
                items.append(())
            else:
                items[-1] += (part,)
        self._parts.append(Group(tuple(items), open, close, comma=True) if parts else open + close)


def _is_text(stmt: ast.stmt) -> bool:
    match stmt:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def _kind(stmt: ast.stmt) -> str:
    """Stretches of one kind stand together at the top of a module."""
    return "import" if isinstance(stmt, (ast.Import, ast.ImportFrom)) else ""


def _is_simple(node: ast.expr) -> bool:
    """Whether `**` stands next to it without blanks, as formatters have it."""
    match node:
        case ast.Attribute(value=value):
            return _is_simple(value) and not isinstance(value, ast.Constant)
        case ast.Name():
            return True
        case ast.Constant(value=value):
            return isinstance(value, (int, float))
    return False


def _pieces(text: str, longest: int = 60) -> list[str]:
    """`text` in pieces, cut behind blanks where there are any: one literal each on a wrapped line."""
    pieces = []
    while len(text) > longest:
        cut = text.rfind(" ", 0, longest) + 1 or longest
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text]


def _wrapped(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    lead = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(line, width, subsequent_indent=lead)
