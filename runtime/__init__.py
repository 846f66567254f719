"""What derivative code calls while it runs: an arena of kept arrays, stacks, and small array helpers.

Needs numpy and numba only. Every jitted name here has a twin in `s2sad_runtime.plain`, which needs numpy
alone: hence the names below are looked up when they are first asked for, and Numba is not imported before
that.
"""

from importlib import import_module

if __name__ != "s2sad_runtime":
    raise ImportError("this folder is imported as s2sad_runtime")

from s2sad_runtime.abi import ABI, STAMP, require

MODULES = {
    "compiled": ("jit",),
    "arena": ("new_arena", "mark", "release", "fork"),
    "records": (
        "real_slots", "int_slots", "bit_slots", "complex_slots", "take_complex",
        "keep", "restore", "own", "grown", "renewed", "hold",
        "take_real", "take_int", "take_bit", "single_slots", "take_single",
    ),
    "indices": (
        "new_pool", "pool_new", "pool_share", "pool_release", "take_pool", "new_places", "place", "place_at",
    ),
    "parts": (
        "new_parts", "part_new", "part_share", "part_end", "part_place", "part_at", "hold_part", "own_as",
        "take_real_part", "take_int_part", "take_bit_part", "take_complex_part",
    ),
    "snapshots": (
        "revolve_plan", "uniform_plan", "online_plan", "given_plan", "places_of", "snapshot_at", "resume_at",
        "put_state", "get_state", "disk_slots", "address_of",
    ),
    "stacks": (
        "new_stack_real", "push_real", "pop_real", "new_stack_int", "push_int", "pop_int",
        "new_stack_bit", "push_bit", "pop_bit",
    ),
    "arrays": ("accumulate", "total", "contiguous", "distinct"),
    "results": ("room_of", "zeros_of", "pooled_zeros"),
    "products": ("product_in", "add_product", "add_outer"),
    "fits": ("common", "fitted", "room_for"),
    "linalg": (
        "block_pair", "cofactors", "cofactors_along", "corner_block", "eig_real", "expm",
        "expm_along", "fit_columns", "fold_lower", "gaps_of", "half_tril", "head_columns",
        "inverse_or_nan", "eigh_vectors", "eigh_with", "solve_banded", "turned_bands", "bands_of", "banded_product",
        "one_triangle", "turned_over", "solve_triangular", "solve_sylvester", "sqrtm",
        "matrix_power", "middle_shares", "mirror_lower", "over_columns", "over_gaps",
        "over_square_gaps", "pad_values", "power_along", "side_by_side", "singular_values", "svd_u",
        "svd_vt", "svd_with", "tail_columns",
    ),
    "cholesky": ("cholesky_back",),
    "factors": ("room_for_factors", "solve_by", "with_factors"),
    "fft": ("fft_along", "ifft_along", "rfft_along", "irfft_along", "doubled_pairs", "halved_pairs"),
    "einsum": ("einsum", "tensordot_by", "einsum_like"),
    "guard": ("guarded",),
    "structures": ("named",),
    "threads": ("thread_count", "keep_shared", "restore_shared"),
    "tape_words": ("new_tape", "seal", "tape_arena"),
    "managers": ("input_index",),
    "tape": (
        "record", "copy_index", "drop_index", "drop_all", "free",
        "record_all", "copy_all", "copied", "free_all", "no_indices", "as_indices",
        "input_indices", "record_sum", "record_dot11", "record_dot12", "record_dot21", "record_dot22",
    ),
    "kept": (
        "keep_values", "set_value", "set_values", "seal_kept", "note", "note_all", "note_check", "note_sum", "note_dot",
        "note_copy", "note_copies", "noted_copy",
    ),
    "entities": (
        "entity_tape", "new_entity", "share_entity", "end_entity", "put_statement", "put_number", "put_numbers",
        "copy_number", "seal_entities",
    ),
    "fields": ("input_value", "copy_value", "put_value", "put_values", "drop_value", "free_value"),
    "compiled_lives": (
        "adjoint", "adjoint_room", "entity", "field_of", "given_array", "revive", "settle", "int_bits", "ints_bits",
        "bits_int",
    ),
    "compiled_again": ("operand", "back_sum", "back_dot", "on_sum", "on_dot"),
    "pool": ("release_memory", "memory"),
}  # fmt: skip
HOME = {name: module for module, names in MODULES.items() for name in names}

__all__ = ["ABI", "STAMP", "require", "special", "given", *HOME]


def __getattr__(name: str) -> object:
    if name in ("special", "given"):
        return import_module(f"{__name__}.{'plain_' if jit_is_off() else ''}{name}")
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "plain" if jit_is_off() else HOME[name]
    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found


def jit_is_off() -> bool:
    """NUMBA_DISABLE_JIT makes every `njit` an identity; intrinsics have no body to run then."""
    from numba import config

    return bool(config.DISABLE_JIT)
