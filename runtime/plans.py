"""Plans of loops of which the reverse sweep keeps a few states: integers in an array, followed step by step.

Everything here is plain Python on an int64 array, compiled by snapshots.py and used as it is without Numba, and by
`s2sad.schedules`, which shows a plan as data. A plan is on its way to a *target*, the step that is reversed next:
`snapshot_at` tells before each step whether the state is to be kept, and in which place; `resume_at` sets the next
target and tells which place to go on from. Memory of a plan: a few words per place.

Sources: A. Griewank and A. Walther, "Algorithm 799: revolve", ACM TOMS 26 (2000), 19-45 (the binomial split).
"""

REVOLVE, UNIFORM, ONLINE, ROWS = range(4)  # how: the kinds of plans
ADVANCE, SNAPSHOT, RESTORE, REVERSE, DROP, END = range(6)  # actions in the rows of a plan that is given

HOW, COUNT, PLACES, HELD, NEXT, TARGET, STRIDE, AT = range(8)  # words of a plan; AT: the row to come
HEAD = 8  # then the steps of the snapshots held, by age; then their places, free ones behind; then rows
ROW = 3  # words of a row: action, step, and the end of an advance

NO_PLACE = "snapshots must be 1 or more"
NOT_FOLLOWED = "the plan given doesn't fit this loop: it is for another number of steps, or not in order"


def places_for(how, n, snapshots):
    """How many snapshots to provide for; 0 asks for the default, with which no step runs more than three times."""
    if snapshots < 0:
        raise ValueError(NO_PLACE)
    if snapshots == 0:
        while snapshots * (snapshots + 1) < 2 * n:
            snapshots += 1
    if how != ONLINE and snapshots > n:
        snapshots = n
    return max(snapshots, 1)


def size_of(places, rows):
    """Words of a plan."""
    return HEAD + 2 * places + ROW * (rows + 1)


def begin(plan, how, n, places):
    """Start a plan for `n` steps (of ONLINE: any number) with that many places."""
    plan[HOW], plan[COUNT], plan[PLACES], plan[HELD] = how, n, places, 0
    plan[NEXT], plan[TARGET], plan[STRIDE], plan[AT] = 0, n - 1, 1, HEAD + 2 * places
    for k in range(places):
        plan[HEAD + places + k] = k


def begin_rows(plan, rows, n, places):
    """Start a plan that is given: `rows` of action, step, end."""
    begin(plan, ROWS, n, places)
    at = plan[AT]
    first = -1
    for i in range(rows.shape[0]):
        if rows[i, 0] == REVERSE and first < 0:
            first = rows[i, 1]
        for j in range(ROW):
            plan[at] = rows[i, j]
            at += 1
    plan[at] = END
    if first != n - 1 and n > 0:
        raise ValueError(NOT_FOLLOWED)


def peak_of(rows):
    """The most snapshots that the rows of a plan hold at once, at least 1."""
    held = peak = 0
    for i in range(rows.shape[0]):
        if rows[i, 0] == SNAPSHOT:
            held += 1
        if rows[i, 0] == DROP:
            held -= 1
        peak = max(peak, held)
    return max(peak, 1)


def snapshot_at(plan, k):
    """The place where the state before step `k` is to be kept; -1 where it isn't."""
    how = plan[HOW]
    if how == ROWS:
        return _row_snapshot(plan, k)
    if how == ONLINE and plan[STRIDE] > 0:
        return _thinned(plan, k)
    if k != plan[NEXT]:
        return -1
    place = _held(plan, k)
    _plan_next(plan, k)
    return place


def resume_at(plan, t):
    """Set the next target; the place to go on from, and its step."""
    if plan[HOW] == ROWS:
        return _row_resume(plan, t)
    plan[STRIDE] = 0  # the number of steps is known
    while plan[HELD] > 0 and plan[HEAD + plan[HELD] - 1] > t:
        plan[HELD] -= 1
    plan[TARGET] = t
    top = plan[HELD] - 1
    step = plan[HEAD + top]
    _plan_next(plan, step)
    return plan[HEAD + plan[PLACES] + top], step


def places_of(plan):
    """How many snapshots it provides for."""
    return plan[PLACES]


def steps_held(plan):
    """How many snapshots are held; their steps stand behind the head, oldest first."""
    return plan[HELD]


# ----- pieces --------------------------------------------------------------------------------------------------


def _held(plan, step):
    """Take a place for the state before `step`, which is newer than all held."""
    place = plan[HEAD + plan[PLACES] + plan[HELD]]
    plan[HEAD + plan[HELD]] = step
    plan[HELD] += 1
    return place


def _forget(plan, k):
    """Free the place of the k-th snapshot held."""
    held, places = plan[HELD], plan[PLACES]
    freed = plan[HEAD + places + k]
    for i in range(k, held - 1):
        plan[HEAD + i] = plan[HEAD + i + 1]
        plan[HEAD + places + i] = plan[HEAD + places + i + 1]
    plan[HEAD + places + held - 1] = freed
    plan[HELD] = held - 1


def _plan_next(plan, step):
    """Where the next snapshot goes on the way from the one at `step` to the target."""
    length, free = plan[TARGET] + 1 - step, plan[PLACES] - plan[HELD]
    ahead = 0
    if free > 0 and length > 2:
        ahead = length // (free + 1) if plan[HOW] == UNIFORM else binomial(length, free + 1)
        ahead = max(ahead, 1)
    plan[NEXT] = step + ahead if ahead > 0 else -1


def binomial(length, places):
    """The longest first part of `length` steps with which `places` snapshots, one at the start, need fewest steps.

    With r runs of each step at most, C(places + r, r) steps can be reversed; the split leaves r to the second part
    and r - 1 to the first.
    """
    reach, runs = 1, 0
    while reach < length:
        runs += 1
        reach = reach * (places + runs) // runs
    less = reach * runs // (places + runs)  # C(places + runs - 1, places)
    other = less * places // (places + runs - 1)  # C(places + runs - 2, places - 1)
    return min(less, length - other)


def _thinned(plan, k):
    """Forward, the end unknown: keep every STRIDE-th state; when all places are taken, every other one goes."""
    if k % plan[STRIDE] != 0:
        return -1
    while plan[HELD] == plan[PLACES]:
        plan[STRIDE] *= 2
        for i in range(plan[HELD] - 1, 0, -1):
            if plan[HEAD + i] % plan[STRIDE] != 0:
                _forget(plan, i)
        if k % plan[STRIDE] != 0 or plan[PLACES] == 1:
            return -1
    return _held(plan, k)


def _row_snapshot(plan, k):
    at = _rows_passed(plan, plan[AT], -1)
    while plan[at] == ADVANCE and plan[at + 2] <= k:
        at = _rows_passed(plan, at + ROW, -1)
    plan[AT] = at
    if plan[at] != SNAPSHOT or plan[at + 1] != k:
        return -1
    if plan[HELD] == plan[PLACES] or (plan[HELD] > 0 and plan[HEAD + plan[HELD] - 1] >= k):
        raise ValueError(NOT_FOLLOWED)
    plan[AT] = at + ROW
    return _held(plan, k)


def _row_resume(plan, t):
    at = _rows_passed(plan, plan[AT], t)
    if plan[at] != REVERSE or plan[at + 1] != t + 1:
        raise ValueError(NOT_FOLLOWED)
    at = _rows_passed(plan, at + ROW, -1)
    while plan[HELD] > 0 and plan[HEAD + plan[HELD] - 1] > t:
        plan[HELD] -= 1
    if plan[at] != RESTORE:
        raise ValueError(NOT_FOLLOWED)
    plan[AT] = at + ROW
    for k in range(plan[HELD]):
        if plan[HEAD + k] == plan[at + 1]:
            return plan[HEAD + plan[PLACES] + k], plan[at + 1]
    raise ValueError(NOT_FOLLOWED)


def _rows_passed(plan, at, t):
    """The first row behind drops; with a target also behind what leads to the end of the steps and is not needed."""
    while plan[at] == DROP or (
        t >= 0 and (plan[at] == ADVANCE or plan[at] == RESTORE or (plan[at] == SNAPSHOT and plan[at + 1] > t))
    ):
        if plan[at] == DROP:
            for k in range(plan[HELD]):
                if plan[HEAD + k] == plan[at + 1]:
                    _forget(plan, k)
                    break
        at += ROW
    return at
