"""Schedules as data: legal, as cheap as the closed form and another package say, within their snapshots."""

import itertools
from math import comb

import numpy as np
import pytest
from checkpoint_schedules import Forward, MultistageCheckpointSchedule, optimal_steps_binomial

from s2sad import schedules
from s2sad.schedules import Advance, Drop, Restore, Reverse, Snapshot
from s2sad_runtime import plans

ALL = (schedules.revolve, schedules.uniform, schedules.online, schedules.disk)
SIZES = [(n, s) for n in (*range(22), 77) for s in (1, 2, 3, 8, 30)]


def closed_form(n, s):
    """Fewest steps: Griewank and Walther 2000, equation (6): r n - C(s + r, r - 1)."""
    r = 0
    while comb(s + r, s) < n:
        r += 1
    return r * n - comb(s + r, r - 1) if r else 0


def run(actions):
    """Carry actions out on states that are numbers; the steps reversed, and the most snapshots held."""
    now, held, done, peak = 0, set(), [], 0
    for action in actions:
        match action:
            case Advance(start, stop):
                assert now == start < stop
                now = stop
            case Snapshot(step):
                assert now == step
                assert step not in held
                held.add(step)
            case Restore(step):
                assert step in held
                now = step
            case Reverse(step):
                assert now == step
                done.append(step)
                now = None
            case Drop(step):
                held.remove(step)
        peak = max(peak, len(held))
    assert not held
    return done, peak


@pytest.mark.parametrize("make", ALL, ids=lambda f: f.__name__)
def test_every_step_is_reversed_once_from_its_state(make):
    for n, s in SIZES:
        schedule = make(n, s)
        done, peak = run(schedule)
        assert done == list(range(n - 1, -1, -1))
        assert peak == schedule.peak_snapshots <= s


def test_revolve_needs_the_fewest_steps():
    for n, s in SIZES:
        schedule = schedules.revolve(n, s)
        assert schedules.forward_steps(schedule) == schedule.forward_steps == closed_form(n, s)
    assert schedules.revolve(13465, 116).forward_steps == closed_form(13465, 116) == 33374


@pytest.mark.parametrize(("n", "s"), [(1, 1), (2, 1), (10, 3), (50, 4), (64, 63), (120, 7)])
def test_revolve_is_as_cheap_as_that_of_another_package(n, s):
    other = MultistageCheckpointSchedule(n, s, 0)
    plain = 0
    for action in itertools.takewhile(lambda a: type(a).__name__ != "EndReverse", other):
        if isinstance(action, Forward) and not action.write_adj_deps:
            plain += min(action.n1, n) - action.n0
    ours = schedules.revolve(n, s).forward_steps
    assert ours == plain
    assert ours + n == (optimal_steps_binomial(n, s) if n > 1 else 1)


def test_what_the_others_cost():
    """Of an unknown length: within a factor of two of the optimum, and n more for the end that wasn't known."""
    for n, s in SIZES:
        best = schedules.revolve(n, s).forward_steps
        assert best <= schedules.uniform(n, s).forward_steps
        if s > 1:
            assert best <= schedules.online(n, s).forward_steps <= 2 * best + n + 1
        assert schedules.disk(n, s).forward_steps == best


def test_the_default_number_of_snapshots():
    for n in (0, 1, 2, 10, 1000, 5000):
        schedule = schedules.revolve(n)
        assert schedule.forward_steps <= 2 * n
        assert schedule.places <= 1 + (2 * n) ** 0.5
        assert list(schedule) == list(schedules.revolve(n, 0))


def test_a_number_of_snapshots_below_zero():
    with pytest.raises(ValueError, match="snapshots must be 1 or more"):
        list(schedules.revolve(3, -1))


@pytest.mark.parametrize("make", ALL[:2], ids=lambda f: f.__name__)
def test_rows_lead_to_the_same_actions(make):
    """A plan that is given as an array is followed as the plan itself is."""
    for n, s in SIZES[:-5]:
        if n == 0:
            continue
        actions = list(make(n, s))
        rows = schedules.rows(actions)
        places = plans.peak_of(rows)
        plan = np.zeros(plans.size_of(places, len(rows)), np.int64)
        plans.begin_rows(plan, rows, n, places)
        followed, state = 0, {}
        for t in range(n - 1, -1, -1):
            step = 0
            if t < n - 1:
                place, step = plans.resume_at(plan, t)
                assert state[place] == step
            for k in range(step, t):
                if (place := plans.snapshot_at(plan, k)) >= 0:
                    state[int(place)] = k
            followed += t - step
        assert followed == sum(a.stop - a.start for a in actions if isinstance(a, Advance))


def test_rows_that_do_not_fit():
    rows = schedules.rows(schedules.revolve(5, 2))
    plan = np.zeros(plans.size_of(2, len(rows)), np.int64)
    with pytest.raises(ValueError, match="another number of steps"):
        plans.begin_rows(plan, rows, 6, 2)
    cut = schedules.rows([a for a in schedules.revolve(5, 2) if not isinstance(a, Restore)])
    plans.begin_rows(plan, cut, 5, 2)
    for k in range(4):
        plans.snapshot_at(plan, k)
    with pytest.raises(ValueError, match="not in order"):
        plans.resume_at(plan, 3)


def test_what_is_a_schedule():
    assert schedules.is_schedule(schedules.revolve(0, 1))
    assert not schedules.is_schedule(3)
    assert not schedules.is_schedule([])
    assert schedules.peak_snapshots([Snapshot(0), Snapshot(1), Drop(0)]) == 2
