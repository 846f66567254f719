"""`match` on values, written as `if`s, before anything is read.

::

    match k:                         if k == 0: ...
        case 0: ...            ->    elif k == 1 or k == 2: ...
        case 1 | 2: ...              else: ...
        case _: ...
"""

from __future__ import annotations

import gast

from s2sad.frontend.subset import refuse
from s2sad.source import Source


def desugar(function: gast.FunctionDef, source: Source) -> None:
    """Exchange every `match` below `function` for `if`s, in place.

    Errors: UnsupportedSyntaxError S025 for patterns that look into a value, or bind names and have a guard.
    """
    _Matches(source).generic_visit(function)


class _Matches(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, source: Source) -> None:
        self.source = source
        self.count = 0

    def visit_Match(self, node: gast.Match) -> list[gast.stmt]:
        self.generic_visit(node)
        first: list[gast.stmt] = []
        subject = node.subject
        if not isinstance(subject, gast.Name):
            self.count += 1
            subject = _name(f"subject#m{self.count}", node.subject)
            target = _name(subject.id, node.subject, gast.Store())
            first = [gast.copy_location(gast.Assign([target], node.subject, None), node.subject)]
        chain: list[gast.stmt] = []
        for case in reversed(node.cases):
            body = list(case.body)
            name = case.pattern.name if isinstance(case.pattern, gast.MatchAs) else None
            if name is not None:
                if case.guard is not None:
                    refuse(case.pattern, self.source, "a `case` that binds a name and has a guard", "S025")
                bound = gast.Assign([_name(name, case.pattern, gast.Store())], subject, None)
                body = [gast.copy_location(bound, case.pattern), *body]
            tests = [t for t in (self._test(case.pattern, subject), case.guard) if t is not None]
            if not tests:
                chain = body
                continue
            test = tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)
            test = gast.copy_location(test, case.pattern)
            chain = [gast.copy_location(gast.If(test, body, chain), case.pattern)]
        return first + chain

    def _test(self, pattern: gast.AST, subject: gast.Name) -> gast.AST | None:
        """Whether `subject` fits; None where it always does."""
        match pattern:
            case gast.MatchValue(value=value):
                made = gast.Compare(subject, [gast.Eq()], [value])
            case gast.MatchSingleton(value=value):
                constant = gast.copy_location(gast.Constant(value, None), pattern)
                made = gast.Compare(subject, [gast.Is()], [constant])
            case gast.MatchOr(patterns=patterns):
                tests = [self._test(p, subject) for p in patterns]
                if None in tests:
                    return None
                made = gast.BoolOp(gast.Or(), tests)
            case gast.MatchAs(pattern=None):
                return None
            case gast.MatchAs(pattern=inner):
                return self._test(inner, subject)
            case _:
                refuse(pattern, self.source, "a pattern that looks into its value is not supported", "S025")
        return gast.copy_location(made, pattern)


def _name(name: str, place: gast.AST, ctx: gast.AST | None = None) -> gast.Name:
    return gast.copy_location(gast.Name(name, ctx or gast.Load(), None, None), place)
