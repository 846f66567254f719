"""Fresh names."""

from __future__ import annotations

import builtins
import keyword

from s2sad.ir.names import RESERVED, Namer


def test_smallest_free_number() -> None:
    namer = Namer(["x_b", "x_b2", "x_b4"])
    assert [namer.fresh("x_b") for _ in range(3)] == ["x_b3", "x_b5", "x_b6"]
    assert [namer.fresh("x1") for _ in range(2)] == ["x1", "x1_2"]
    assert [namer.fresh("x", "_") for _ in range(3)] == ["x", "x_2", "x_3"]
    assert [namer.numbered("t") for _ in range(2)] == ["t_0", "t_1"]
    namer.take("t_2")
    assert "t_2" in namer
    assert namer.numbered("t") == "t_3"


def test_reserved_names_are_never_given_out() -> None:
    namer = Namer()
    for name in [*keyword.kwlist, *dir(builtins), "np", "math", "arena", "total", "keep", "guarded"]:
        assert name in RESERVED
        assert namer.fresh(name) != name


def test_the_same_questions_get_the_same_answers() -> None:
    def answers() -> list[str]:
        namer = Namer({"a", "b", "a_b"})
        return [namer.fresh(w) for w in ["a_b", "c", "a_b", "c", "b"]]

    assert answers() == answers() == ["a_b2", "c", "a_b3", "c2", "b2"]
