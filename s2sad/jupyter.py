"""What `%load_ext s2sad` brings: the cell magic `%%differentiate`.

    %%differentiate heat --argnums 0,1
    def heat(u0, k, steps): ...

runs the cell, makes the function that it names (the last one that it defines, without a name) differentiable as
`@s2sad.differentiate` does, and shows its page.
"""

from __future__ import annotations

import ast
import linecache
from typing import Any

from s2sad.decorator import differentiate
from s2sad.errors import ArgumentError


def load(shell: Any) -> None:
    """Give the magic to an IPython shell."""
    shell.register_magic_function(
        lambda line, cell: cell_differentiate(shell, line, cell), "cell", "differentiate"
    )


def cell_differentiate(shell: Any, line: str, cell: str) -> Any:
    """Run a cell and differentiate a function of it.

    Errors: ArgumentError S093 for an `--argnums` that is no list of positions, S110 where there is no such function
    """
    words = line.split()
    argnums: int | tuple[int, ...] = 0
    if "--argnums" in words:
        k = words.index("--argnums")
        text = words[k + 1] if k + 1 < len(words) else ""
        try:
            numbers = tuple(int(part) for part in text.split(","))
        except ValueError:
            raise ArgumentError(f"`{text}` is not a list of positions", code="S093") from None
        argnums = numbers if "," in text else numbers[0]
        del words[k : k + 2]
    defined = [node.name for node in ast.parse(cell).body if isinstance(node, ast.FunctionDef)]
    name = words[0] if words else defined[-1] if defined else ""
    if name not in defined:
        raise ArgumentError(
            f"the cell defines no function `{name}`", code="S110", hint="%%differentiate NAME"
        )
    file = f"<cell {hash(cell):x}>"
    linecache.cache[file] = (
        len(cell),
        None,
        cell.splitlines(keepends=True),
        file,
    )  # where its source is found
    exec(compile(cell, file, "exec"), shell.user_ns)
    shell.user_ns[name] = made = differentiate(shell.user_ns[name], argnums=argnums)
    return made
