"""Tapes outside the process: files, and drawings."""

from __future__ import annotations

import json
import sys
from collections import namedtuple
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from s2sad.forms import Given, Make, is_named, names_of
from s2sad.ir.nodes import Leaf, Node, Tree

Array = np.ndarray[Any, Any]


def tree_to_data(tree: Tree) -> Any:
    """A tree as JSON has it: the name of a leaf, or a list: what it is, and its items."""
    return tree.name if isinstance(tree, Leaf) else [_make_to_data(tree.make), *map(tree_to_data, tree.items)]


def tree_from_data(data: Any) -> Tree:
    """The tree again."""
    if isinstance(data, str):
        return Leaf(data)
    return Node(tuple(map(tree_from_data, data[1:])), _make_from_data(data[0]))


def _make_to_data(make: Make) -> Any:
    match make:
        case None:
            return None
        case Given(kind, keys):
            return [kind.__name__, *keys]
    return ["class", make.__module__, make.__qualname__, *names_of(make)]


def _make_from_data(data: Any) -> Make:
    """A class is the one of that name, where its module is loaded; else a NamedTuple of the same fields."""
    match data:
        case None:
            return None
        case ["list"]:
            return Given(list)
        case ["dict", *keys]:
            return Given(dict, tuple(keys))
    _, module, name, *fields = data
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if (
        isinstance(found, type)
        and (is_named(found) or is_dataclass(found))
        and list(names_of(found)) == fields
    ):
        return found
    return namedtuple(name.rpartition(".")[2], fields)


def write(path: str | Path, meta: dict[str, Any], arrays: dict[str, Array]) -> None:
    """A .npz file of arrays and what belongs to them."""
    with open(path, "wb") as file:
        np.savez(file, meta=np.array(json.dumps(meta)), **arrays)  # type: ignore[arg-type]


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """What `write` wrote."""
    with np.load(path) as found:
        arrays = {name: found[name] for name in found.files}
    return json.loads(str(arrays.pop("meta"))), arrays


def drawn(chunks: Any, inputs: dict[str, Array], outputs: dict[str, Array], first: int) -> Iterator[str]:
    """Lines of a graph in the DOT language: inputs, statements, results, partial derivatives along the edges."""
    yield "digraph tape {"
    yield "  rankdir=LR; node [shape=circle, fontsize=10];"
    node: dict[int, str] = {}
    for name, indices in inputs.items():
        for where in np.ndindex(indices.shape):
            label = f"{name}{list(where)}" if where else name
            node[int(indices[where])] = f"i{indices[where]}"
            yield f'  i{indices[where]} [shape=box, label="{label}"];'
    number = 0
    for chunk in chunks:
        end = 0
        for k in range(chunk.sizes.size):
            begin, end = end, end + int(chunk.sizes[k])
            yield f'  s{number} [label="{number}"];'
            for j in range(begin, end):
                yield f'  {node[int(chunk.arguments[j])]} -> s{number} [label="{chunk.partials[j]:.3g}"];'
            node[first + number if chunk.left.size == 0 else int(chunk.left[k])] = f"s{number}"
            number += 1
    for name, indices in outputs.items():
        for where in np.ndindex(indices.shape):
            if int(indices[where]) != 0:
                label = f"{name}{list(where)}" if where else name
                yield f'  o_{name}{"_".join(map(str, where))} [shape=box, label="{label}"];'
                yield f"  {node[int(indices[where])]} -> o_{name}{'_'.join(map(str, where))};"
    yield "}"
