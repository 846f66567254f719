"""s2sad as a tool of GradBench, the suite of benchmarks for differentiation: its protocol on standard input and output.

One JSON object a line: `define` asks for one of the modules in evals/, `evaluate` runs a function of it, for as long
as its input says. What compiles is run once before it is timed, and that time is listed as "compile".
Source of the protocol and of what each module has to compute: https://github.com/gradbench/gradbench

    gradbench run --eval 'python python/gradbench/gradbench/evals/gmm/run.py' --tool 'python tool.py'
"""

import importlib
import importlib.util
import json
import sys
import time
import traceback
from typing import Any

from evals.task import Task, plain

Answer = dict[str, Any]


def tasks(module: str) -> dict[str, Task]:
    """The functions of a module by name; empty for a module that isn't there."""
    if not module.isidentifier() or importlib.util.find_spec(f"evals.{module}") is None:
        return {}
    found: dict[str, Task] = getattr(importlib.import_module(f"evals.{module}"), "TASKS", {})
    return found


def evaluate(task: Task, given: Any) -> Answer:
    """Run a task at least `min_runs` times and for `min_seconds`."""
    runs, seconds = (given["min_runs"], given["min_seconds"]) if isinstance(given, dict) else (1, 0.0)
    args = task.read(given)
    timings = []

    def timed(name: str) -> Any:
        start = time.perf_counter_ns()
        result = task.run(*args)
        timings.append({"name": name, "nanoseconds": time.perf_counter_ns() - start})
        return result

    timed("compile")
    spent, count = 0, 0
    while True:
        result = timed("evaluate")
        spent += timings[-1]["nanoseconds"]
        count += 1
        if count >= runs and spent >= 1e9 * seconds:
            return {"success": True, "output": plain(task.write(result)), "timings": timings}


def answer(message: dict[str, Any]) -> Answer:
    """The response to a message; a failure is one, too."""
    response: Answer = {"id": message["id"]}
    try:
        match message["kind"]:
            case "start":
                response["tool"] = "s2sad"
            case "define":
                response["success"] = bool(tasks(message["module"]))
            case "evaluate":
                response |= evaluate(tasks(message["module"])[message["function"]], message["input"])
    except Exception:
        response |= {"success": False, "error": traceback.format_exc()}
    return response


def main() -> None:
    """Answer line by line until the input ends."""
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
