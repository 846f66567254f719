"""Fresh names for generated code: counters, never random, never a name that is taken.

Adjoints are asked for as `x_b`, tangents as `x_d`; where that name is taken the smallest free number follows.

>>> namer = Namer(["x", "x_b"])
>>> namer.fresh("x_b"), namer.fresh("x_b"), namer.fresh("y_b")
('x_b2', 'x_b3', 'y_b')
>>> namer.numbered("r"), namer.numbered("r")
('r_0', 'r_1')
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

#: What the emitted modules take from the runtime.
RUNTIME = (
    "block_pair", "cofactors", "cofactors_along", "corner_block", "eig_real", "expm", "expm_along",
    "fit_columns", "fold_lower", "gaps_of", "half_tril", "head_columns", "inverse_or_nan",
    "eigh_vectors", "eigh_with", "solve_banded", "turned_bands", "bands_of", "banded_product",
    "one_triangle", "turned_over", "solve_triangular", "solve_sylvester", "sqrtm",
    "matrix_power", "middle_shares", "mirror_lower", "over_columns", "over_gaps", "over_square_gaps", "pad_values",
    "power_along", "side_by_side", "singular_values", "svd_u", "svd_vt", "svd_with", "tail_columns",
    "room_for_factors", "solve_by", "with_factors", "cholesky_back", "accumulate",
    "common", "fitted", "room_for",
    "odeint",
    "odeint_or_raise",
    "fft_along", "ifft_along", "rfft_along", "irfft_along", "doubled_pairs", "halved_pairs",
    "einsum", "tensordot_by", "einsum_like", "complex_slots", "take_complex",
    "single_slots", "take_single", "any_slots", "take_any",
    "contiguous", "distinct", "fork", "grown", "guarded", "hold", "jit", "keep", "mark", "memory",
    "new_arena",
    "new_stack_bit", "new_stack_int", "new_stack_real", "own", "renewed", "pop_bit", "pop_int", "pop_real", "push_bit",
    "push_int", "push_real", "new_places", "new_pool", "place", "place_at", "pool_new", "pool_release",
    "pool_share", "take_pool", "release", "release_memory", "require", "restore", "take_bit", "take_int",
    "revolve_plan", "uniform_plan", "online_plan", "given_plan", "places_of", "snapshot_at", "resume_at",
    "put_state", "get_state", "disk_slots", "address_of",
    "thread_count", "keep_shared", "restore_shared",
    "take_real", "named", "bit_slots", "int_slots", "real_slots", "special", "given", "total", "zeros_of", "room_of",
    "pooled_zeros", "product_in", "add_product", "add_outer",
    "keep_values", "set_value", "set_values", "seal_kept", "note", "note_all", "note_check", "note_sum", "note_dot",
    "note_copy", "note_copies", "noted_copy", "operand", "back_sum", "back_dot", "on_sum", "on_dot", "drop_index",
    "drop_all", "as_indices", "copied", "copy_all", "copy_index", "free", "free_all", "input_index", "input_indices",
    "new_tape",
    "no_indices", "record", "record_all", "record_dot11", "record_dot12", "record_dot21", "record_dot22", "record_sum",
    "seal", "tape_arena",
    "entity_tape", "new_entity", "share_entity", "end_entity", "put_statement", "put_number", "put_numbers",
    "copy_number", "seal_entities", "entity", "given_array", "revive", "settle",
    "input_value", "copy_value", "put_value", "put_values", "drop_value", "free_value", "field_of", "adjoint",
    "adjoint_room", "int_bits", "ints_bits", "bits_int",
    "new_parts", "part_new", "part_share", "part_end", "part_place", "part_at", "hold_part", "own_as",
    "take_real_part", "take_int_part", "take_bit_part", "take_complex_part",
)  # fmt: skip

#: Modules and names that every emitted module may use without asking.
MODULES = (
    "np",
    "numpy",
    "math",
    "sys",
    "numba",
    "s2sad_runtime",
    "arena",
    "frame",
    "__file__",
    "__name__",
    "__doc__",
)

#: Ends of names that handlers make of those of variables.
_ENDS = frozenset(("again", "seed", "final", "log", "origin"))

#: What handlers add to the names of functions.
_MADE = re.compile(r"(_(fwd|rev|d|pull|region)\d*|_\d+)+")

RESERVED = frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *RUNTIME, *MODULES))


class Namer:
    """Gives out names that neither the reserved ones nor `taken` nor earlier answers contain."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(RESERVED)
        self._taken.update(taken)

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def take(self, *names: str) -> None:
        """Mark names as used."""
        self._taken.update(names)

    def fresh(self, wish: str, separator: str = "") -> str:
        """`wish` itself where it is free, else with the smallest free number from 2 on; taken from now on.

        A wish that ends in a digit gets its number after `_`: x2 becomes x2_2, not x22.
        """
        gap = separator or ("_" if wish[-1:].isdigit() else "")
        name, number = wish, 2
        while name in self._taken:
            name, number = f"{wish}{gap}{number}", number + 1
        self._taken.add(name)
        return name

    def numbered(self, stem: str, start: int = 0) -> str:
        """`stem_0`, `stem_1`, ...: the first free one; taken from now on."""
        number = start
        while (name := f"{stem}_{number}") in self._taken:
            number += 1
        self._taken.add(name)
        return name


def function_name(base: str, taken: Iterable[str], functions: Iterable[str] = ()) -> str:
    """A name for a function, clear of `taken` names, and of what handlers make of it, or of other `functions`.

    >>> function_name("norm", ["norm_d"]), function_name("norm_fwd", [], ["norm"])
    ('norm_2x', 'norm_fwd_call')
    """
    taken, functions = set(taken), set(functions)
    tail = base.rpartition("_")[2]
    if len(tail) < 2 or tail in _ENDS or not base.isidentifier():
        base = f"{base if base.isidentifier() else 'f'}_call"

    def made(name: str, other: str) -> bool:
        return other.startswith(name) and _MADE.fullmatch(other[len(name) :]) is not None

    def clashes(name: str) -> bool:
        ours = any(made(name, t) for t in (*taken, *functions)) or any(made(t, name) for t in functions)
        return ours or name in taken or name in functions or name in RESERVED

    if any(made(t, base) for t in functions):
        base = f"{base}_call"
    name, number = base, 2
    while clashes(name):
        name, number = f"{base}_{number}x", number + 1
    return name
