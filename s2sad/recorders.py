"""The files of recording functions: what runs and records, and what sweeps over tapes call."""

from __future__ import annotations

from dataclasses import replace

from s2sad.contents import needed
from s2sad.derive import derive
from s2sad.drivers import File
from s2sad.emit import module as out
from s2sad.emit.chunks import chunk
from s2sad.emit.entities import Step, back, on
from s2sad.emit.trees import guarded
from s2sad.handlers.putting import FIRST
from s2sad.handlers.resweep import evaluated_again, slopes_back
from s2sad.ir.nodes import Call, Function, Stmt
from s2sad.ir.paths import called_by, calling
from s2sad.ir.walk import map_body, unique
from s2sad.plan.computes import Compute
from s2sad.shapes.passes import unfused


class Recorder(File):
    """One emitted file around a recording form."""

    there: dict[str, Function] | None = None  # the functions that are called and stand in the file

    def sweeps_of_values(self) -> tuple[str, str]:
        """The functions that form slopes and evaluate again what a tape of values keeps; their names."""
        assert self.derived.recording is not None
        names: list[str] = []
        for made in (slopes_back, evaluated_again):
            fn = made(self.derived.recording.sites)
            names.append(self.names.fresh(fn.name))
            options = {**self.options.texts, "error_model": '"numpy"'}
            sweep = out.Sweep(names[-1], fn.params, fn.body, fn.results, fn.kinds, options, fn.doc, True)
            self.functions.append(sweep.definition(False))
        return names[0], names[1]

    def sweeps_of_entities(self) -> tuple[str, ...]:
        """The sweeps over a chunk of a tape of entities, backwards and forwards, with what they call; their names.

        Behind them, where there are arrays, what gives the memory for their adjoints.
        """
        assert self.derived.recording is not None
        steps = [self.step(k, site) for k, site in enumerate(self.derived.recording.sites)]
        axes, sizes = self.derived.recording.axes, self.derived.recording.sizes
        relaxed = {**self.options.texts, "error_model": '"numpy"'}
        names: list[str] = []
        for write, word in ((back, "back"), (on, "on")):
            calls = [self.names.fresh(f"site_{step.number}_{word}") for step in steps]
            inner = {"inner": "True", **relaxed}
            self.functions += [write(step, called, inner) for step, called in zip(steps, calls, strict=True)]
            names.append(self.names.fresh(f"{self.fn.name}_{word}"))
            self.functions.append(chunk(steps, calls, axes, sizes, names[-1], FIRST, word == "on", relaxed))
        if axes:
            name, doc = self.names.fresh(f"{self.fn.name}_room"), "The memory for the adjoints of one sweep."
            names.append(self.add(name, "", ["room = adjoint_room()"], "room", doc))
        return tuple(names)

    def step(self, number: int, site: Compute) -> Step:
        """The sweeps and the tangent of a compute expression; their functions join the file."""
        active = site.active
        stem = f"site_{number}"
        whole = replace(site.function, callees=self.fn.callees, pairs=self.fn.pairs)
        made = derive(whole, None, [active] if active else ())
        tangent = self.sweep(self.names.fresh(f"{stem}_d"), self.joined(made.function, stem), inner=True)
        self.functions.append(tangent.definition(False))
        pair: out.Pair | None = None
        shadows: dict[str, str] = {}
        seeds: tuple[str | None, ...] = ()
        seeded: tuple[str, ...] = ()
        scalars: list[str] = []
        if active:
            adj = derive(whole, active, passes=unfused(self.options.passes))
            assert adj.adjoint is not None
            assert adj.turn is not None
            ahead, behind = (self.names.fresh(f"{stem}_{half}") for half in ("fwd", "rev"))
            pair = out.split(
                self.joined(adj.function, stem),
                ahead,
                behind,
                self.options.texts,
                self.options.strict,
                ("", ""),
            )
            self.functions += pair.definitions(pair.arena)
            shadows, seeds, seeded = adj.adjoint.shadows, adj.adjoint.seeds, adj.turn.seeds
            scalars = [p for p in adj.adjoint.gradients if not site.function.kinds[p].is_array]
        return Step(number, site, pair, shadows, seeds, seeded, tuple(scalars), tangent, active)

    def joined(self, fn: Function, stem: str) -> Function:
        """A function of a site, with what it calls in the file: under a name of the site, unless it is there already."""
        every = {**fn.callees, **{f"{name}_": pair for name, pair in fn.pairs.items()}}
        reached = needed((fn,), every)
        if self.there is None:
            own = {**self.fn.callees, **self.derived.function.callees}
            self.there = {
                name: own[name] for name in needed((self.fn, self.derived.function), own) if name in own
            }
        callees = {n: f for n, f in fn.callees.items() if n in reached and self.there.get(n) is not f}
        pairs = {n: f for n, f in fn.pairs.items() if f"{n}_" in reached}
        shared = {n for n, f in callees.items() if self.fn.callees.get(n) is f}
        new = {n: n if n in shared else self.names.fresh(f"{stem}_{n}") for n in callees}
        halves = {n: self.names.fresh(f"{stem}_{n}") for n in pairs}

        def settled(f: Function) -> Function:
            def settle(s: Stmt) -> tuple[Stmt, ...]:
                name = called_by(s)
                half = isinstance(s, Call) and s.half
                return (calling(s, (halves if half else new).get(name, name)),) if name else (s,)

            return replace(f, body=map_body(settle, f.body))

        for n, f in callees.items():
            self.functions.append(self.sweep(new[n], settled(f), inner=True).definition(False))
            self.there |= {n: f} if n in shared else {}
        for n, f in pairs.items():
            texts, name = self.options.texts, halves[n]
            pair = out.split(settled(f), f"{name}_fwd", f"{name}_rev", texts, self.options.strict, ("", ""))
            self.functions += pair.definitions(True)
        return settled(fn)

    def record_driver(self, name: str, form: str = "jacobian") -> str:
        """`name(leaves, manager, check) -> (results, their indices, those of array arguments at the end, tape)`.

        On a tape of entities an array argument has one index all the time.
        """
        kept, whole = form == "primal", form == "entities"
        fn, record = self.fn, self.derived.recording
        assert record is not None
        tape, manager, check = (self.names.fresh(n) for n in ("tape", "manager", "check"))
        lines = ["arena = tape_arena()", f"{tape} = new_tape(arena, {manager}, {check})"]
        lines += [f"keep_values({tape})"] * kept + [f"entity_tape({tape})"] * whole
        for value in record.values:
            fields = f"({', '.join(value)})"
            lines.append(f"{record.indices[value[0]]} = input_value({tape}, {fields})")
        alone = {p: i for p, i in record.indices.items() if all(p not in value for value in record.values)}
        for param, index in alone.items():
            array = fn.kinds[param].is_array
            drawn = f"input_indices({tape}, {param})" if array else f"input_index({tape})"
            lines.append(f"{index} = {f'new_entity({tape}, {param})' if array and whole else drawn}")
            if kept or (whole and not array):
                lines.append(f"set_value{'s' * array}({tape}, {index}, {param})")
        owned = ["arena", *(i for p, i in record.indices.items() if fn.kinds[p].is_array and not whole)]
        args = (*fn.params, *unique(record.indices.values()), tape)
        called = ", ".join(guarded(self.recorder, f"({', '.join(owned)},)", args))
        names = [self.names.fresh("y") for _ in record.function.results]
        left = f"{', '.join(names)} = " if names else ""
        lines += [
            f"{left}guarded({called})",
            f"seal{'_kept' * kept}{'_entities' * whole}({tape})",
        ]
        result = ", ".join((*names, *owned[1:], "arena"))
        doc = f"The results of `{fn.name}`, their indices, those of array arguments at the end, and the tape's memory."
        return self.add(
            name, ", ".join((*fn.params, manager, check)), [*self.distinct(), *lines], result, doc
        )
