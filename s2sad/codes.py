"""The catalogue of error codes: one row per code, sorted. A code keeps its meaning for ever.

The hint is shown under an error that brings none of its own: a clause, lower case, without a full stop.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """A row: the code, the class that carries it, what it is about, why it is an error, what to write instead."""

    code: str
    error: str
    title: str
    why: str
    hint: str


_SOURCE = "SourceUnavailableError"
_SYNTAX = "UnsupportedSyntaxError"
_RULE = "MissingRuleError"
_ALIAS = "AliasingError"
_ARGUMENT = "ArgumentError"
_KIND = "KindError"

_ROWS = (
    # Reading the function
    Code("S001", _SOURCE, "no source text",
         "s2sad reads the text of a function. Built-in functions, functions typed at a prompt and functions made by `exec` have none on disk.",
         "put the function into a file, or call an operation of the table (`s2sad ops`)"),
    Code("S002", _SOURCE, "not a function",
         "Only plain Python functions, `functools.partial` of one and Numba dispatchers can be read; classes and callable objects can't.",
         "pass a function defined with `def`"),
    Code("S003", _SOURCE, "text can't be parsed on its own",
         "The text found for the function is not a complete definition, or it can't be told which lambda in it the function is.",
         "define the function with `def`, on lines of its own"),
    Code("S004", _SOURCE, "source changed since import",
         "The file was edited after the function was loaded: its text and its compiled code belong to different versions.",
         "import the module again"),
    # Statements
    Code("S010", _SYNTAX, "construct outside the language",
         "The construct has no meaning for differentiation yet, so the function is refused before anything runs.",
         "write it with assignments, `if`, `for` over `range` and calls"),
    Code("S011", _SYNTAX, "`while` loop that nothing leaves",
         "The condition always holds, and no `break` or `return` leaves the loop: nothing behind it is ever reached.",
         "leave it by `break` or `return`, or give it a condition"),
    Code("S013", _SYNTAX, "too many early exits",
         "The statements behind an early exit are moved into the arms that reach them, which may grow too large.",
         "return once, at the end"),
    Code("S014", _SYNTAX, "loop over something that can't be counted",
         "Loops run over ranges, arrays, lists and tuples, and `enumerate`, `zip`, `reversed` of these.",
         "loop over `range(len(x))` and read `x[i]`"),
    Code("S016", _SYNTAX, "`try`",
         "Exceptions that are caught inside would make the reverse sweep depend on where they arose.",
         "test for the condition with `if`, or catch the exception in the caller"),
    Code("S017", _SYNTAX, "`with`",
         "A context manager runs code that s2sad doesn't see. `with s2sad.checkpoint():` alone is known.",
         "use `with` in the caller, around the whole function"),
    Code("S018", _SYNTAX, "`del` of something other than a name",
         "Elements can't be taken out of the middle of a list or an array.",
         "make a new array without the element"),
    Code("S019", _SYNTAX, "`import` inside a function",
         "An import runs code of another module.",
         "import at the top of the file"),
    Code("S020", _SYNTAX, "global or outer name written",
         "What a function writes outside of its arguments is out of sight of its derivative.",
         "pass the value in as an argument and return it"),
    Code("S021", _SYNTAX, "attribute written",
         "The state of an object is out of sight of the derivative.",
         "use a local name, and return what should be kept"),
    Code("S022", _SYNTAX, "function or class defined inside",
         "Nested definitions capture names of the function around them.",
         "define it at the top of the file and pass in what it needs"),
    Code("S023", _SYNTAX, "`nonlocal` name that changes its kind",
         "A nested function may give an outer name another value, of the kind that it has already.",
         "give the name a first value in the function around, a number such as `0.0`"),
    Code("S024", _SYNTAX, "generator or coroutine",
         "`yield` and `await` hand control to code that s2sad doesn't see.",
         "return the value, or fill an array"),
    Code("S025", _SYNTAX, "`match` with a pattern that looks into a value",
         "`match` compares with values, and may give a name to what is left; no other patterns are supported.",
         "write `if`, `elif`, `else`"),
    Code("S026", _SYNTAX, "`raise` of this form",
         "An exception is raised as a call of its class, of Python's or of a module, with text, numbers, arrays, tuples and"
         " f-strings by position; compiled without a cause. No other name of the program may be that of its class.",
         "write `raise ValueError(\"...\")` under an `if`"),
    Code("S027", _SYNTAX, "decorator",
         "The decorator may replace the function by something that its text doesn't show.",
         "leave the decorator out, or call the undecorated function"),
    Code("S028", _SYNTAX, "statement without effect",
         "The value of the expression is not used.",
         "assign it to a name, or leave the statement out"),
    Code("S029", _SYNTAX, "printing, reading or writing",
         "`print` of numbers, arrays, text and tuples passes through, once: not in a stretch that is run again on the way"
         " back, and to `sys.stdout` or `sys.stderr`; compiled without `file=`, `flush=`, `sep=` and `end=`. Nothing else can be read or written.",
         "return the value and print it in the caller"),
    # Expressions and targets
    Code("S030", _SYNTAX, "view of another kind",
         "Sections, `.T` and `.reshape` are the views of arrays that are supported.",
         "write a loop over the elements"),
    Code("S031", _SYNTAX, "set, or dict or list of this form",
         "Lists that change hold numbers, or arrays of one shape, have one name, and stay inside the function; the keys of"
         " dicts are constants; sets are not supported.",
         "use a tuple or a NumPy array: `np.array(values)`"),
    Code("S032", _SYNTAX, "comprehension or generator expression of this form",
         "Comprehensions make lists of numbers or arrays, and dicts of what dicts and tuples hold; generator expressions stand in"
         " `any` and `all`.",
         "make an array and fill it in a `for` loop"),
    Code("S033", _SYNTAX, "`*` or `**`",
         "The number of arguments, and of parts, must be known: `*t` of a tuple with a name, `**d` of a dict, `*more` of a function"
         " that is called.",
         "name each argument, each part"),
    Code("S034", _SYNTAX, "lambda",
         "A lambda captures names where it stands.",
         "define a function with `def` at the top of the file"),
    Code("S035", _SYNTAX, "text",
         "Text is allowed in docstrings, in the arguments of exceptions and in `print`. Compiled f-strings hold integers"
         " without a format: Numba makes no others.",
         "use an integer or a bool to choose between cases"),
    Code("S036", _SYNTAX, "assignment inside a comprehension",
         "`:=` binds a name of the function around the comprehension.",
         "write the comprehension as a loop"),
    Code("S037", _SYNTAX, "subscript with too many indices",
         "More indices than dimensions are an error; fewer give a view of a part of the array.",
         "write at most one index per dimension, `x[i, j]`"),
    Code("S038", _SYNTAX, "subscript of another kind",
         "A subscript is an integer, a slice, an array of integers or a mask; arrays and slices mix in part only.",
         "write a loop over the elements"),
    Code("S039", _SYNTAX, "operator outside the language",
         "Shifts, `@=`, `is` of other things than None, and `in` of other things than dicts are not part of the language.",
         "use arithmetic, comparisons, `and`, `or`, `not`, or a loop"),
    Code("S040", _SYNTAX, "`eval`, `exec` or a look at the interpreter",
         "What such calls do can't be read from the text.",
         "write the expression out"),
    Code("S041", _SYNTAX, "attribute",
         "The attributes known are those of modules, `shape`, `size` and `ndim` of arrays, and what the classes of NamedTuples"
         " and dataclasses define. Such a class leaves it to NamedTuple how its values are made and found.",
         "pass the value in as an argument"),
    Code("S042", _SYNTAX, "complex array or result",
         "Single complex numbers are followed between real arguments and real results, arrays of them are not.",
         "keep real and imaginary parts in arrays of their own, and return a real number"),
    Code("S043", _SYNTAX, "assignment to this target",
         "A target is a name, an element `x[i]`, the whole array `x[:]`, or a tuple of names.",
         "assign the parts one by one"),
    Code("S044", _SYNTAX, "type annotation or declaration without a value",
         "A declaration alone binds nothing.",
         "assign a value"),
    # Names
    Code("S050", _SYNTAX, "name not found",
         "The name is neither local, nor in the module, nor built in.",
         "check the spelling, or pass the value in as an argument"),
    Code("S051", _SYNTAX, "name that may be unbound",
         "On some path (an arm not taken, a loop with no trips) the name has no value where it is used.",
         "give it a value before the `if` or the loop"),
    Code("S052", _SYNTAX, "name that changes its kind",
         "A name is a scalar, an array or a tuple of one structure, wherever two paths meet.",
         "use two names"),
    Code("S053", _SYNTAX, "outer value that can't be baked in",
         "Values from outside are written into the generated code: numbers, bools and NumPy arrays of numbers can be, and"
         " tuples and dicts of them.",
         "pass the value in as an argument"),
    # Kinds
    Code("S060", _KIND, "integer argument differentiated",
         "Derivatives are taken with respect to real numbers; an integer, a bool or text has none.",
         "pass a float, `2.0` instead of `2`, or choose other `argnums`"),
    Code("S061", _KIND, "gradient of something that is not a real scalar",
         "`grad` needs a function with one real result.",
         "return a scalar such as `np.sum(y)`, or use `jacobian`, or `vjp` with a cotangent"),
    Code("S062", _KIND, "argument of a kind that is not supported",
         "Arguments are floats (float64 or float32), integers, bools, NumPy arrays of these, tuples and NamedTuples of"
         " these; with `jit=False` also lists, dicts and dataclasses of these. Tapes, and compiled factorisations of"
         " matrices, are for float64.",
         "pass floats, integers, bools, arrays of these, or tuples of these"),
    Code("S063", _KIND, "kind not known",
         "Neither the arguments, nor annotations, nor the body tell what this value is.",
         "give the types: `--types`, annotations, or arguments"),
    Code("S064", _KIND, "operands of kinds that don't go together",
         "The operation is not defined for these kinds, or its result could be a scalar on one path and an array on another.",
         "use scalars where a scalar is expected, and arrays of one number of dimensions together"),
    Code("S065", _KIND, "storage type that can't hold the derivative",
         "An array of integers or bools takes no real values with derivatives.",
         "make the array with a float dtype"),
    # Calls
    Code("S070", _RULE, "no derivative known",
         "The function is not in the table of operations, and it has no Python source to read.",
         "use an operation of the table (`s2sad ops`), write the function out in Python, or `s2sad.register` it"),
    Code("S071", _SYNTAX, "call of this form",
         "Functions that are known when the program is read can be called, their derivatives, and methods of arrays, lists,"
         " dicts and NamedTuples. The built-in `sum` adds arrays; what it makes of numbers depends on the version of Python.",
         "call a function, `np.sum(x)`"),
    Code("S072", _SYNTAX, "recursion",
         "A function that calls itself, directly or through others, is a function of its own in what s2sad makes. It stands at"
         " the top of a file, takes numbers, arrays and tuples of them, and returns a number or a tuple of numbers.",
         "write arrays into a parameter, or write a loop"),
    Code("S073", _SYNTAX, "keyword or argument not supported by this operation",
         "Operations take the arguments that `s2sad ops` shows.",
         "leave the argument out"),
    Code("S074", _ARGUMENT, "call that doesn't fit the callee",
         "The number or the names of the arguments differ from the definition of the function called.",
         "pass the arguments that the function declares"),
    Code("S075", _SYNTAX, "statement that a tape can't record",
         "A tape holds statements of real numbers and arrays with a partial derivative per argument.",
         "use `grad` or `vjp`, which work out the statement as a whole"),
    Code("S076", _SYNTAX, "argument written where its derivative is taken",
         "A function with a rule, or one that is differentiated inside of another, must leave its arguments as they are.",
         "write into a copy: `x = x.copy()`"),
    Code("S077", _SYNTAX, "rule of another form",
         "`defjvp(f_jvp)`: `f_jvp(primals, tangents)` returns the value and its tangent. `defvjp(fwd, bwd)`: `fwd(*args)`"
         " returns the value and what is kept, `bwd(kept, cotangent)` a tuple with one adjoint per argument, or None."
         " `register(f, partials=...)` takes a formula per argument.",
         "see docs/rules.md"),
    Code("S078", _SYNTAX, "rule that is not linear",
         "The derivative of a function is linear: a rule has to be linear in the tangents (the cotangents) that it is given,"
         " else it is no derivative, and can't be transposed.",
         "multiply tangents by values of the program, and add; no branches, powers or products of them"),
    # Memory
    Code("S080", _ALIAS, "two names for one array",
         "Both names may refer to the same memory and both stay in use; their adjoint would have to be shared, which could not be proved.",
         "use `b = a.copy()`, or one name"),
    Code("S081", _ALIAS, "view of an array",
         "Whether this is a view or a copy decides where the derivative goes, and it could not be proved.",
         "take a copy, or write a loop over the elements"),
    Code("S082", _ALIAS, "arguments that overlap in memory",
         "Two arguments share memory and at least one is written.",
         "pass a copy of one of them"),
    Code("S083", _ALIAS, "one array under two names in a loop or an arm",
         "Whether the two names share memory depends on the path taken.",
         "copy the array before the `if` or the loop"),
    Code("S084", _ALIAS, "memory shared with a name bound inside a stretch that is run again",
         "A region of `with checkpoint():` or a step of `checkpoint_range` is run twice; a name that it binds, and that shares memory with others, would have to share it each time.",
         "make the array before the stretch, and write into it"),
    # Arguments of the transforms
    Code("S090", _ARGUMENT, "wrong number of primals, tangents or cotangents",
         "There must be one per argument (per result) of the function.",
         "pass one per argument, `None` for none"),
    Code("S091", _ARGUMENT, "tangent that doesn't fit its primal",
         "A tangent has the shape and the structure of its argument.",
         "use `np.ones_like(x)` or `np.zeros_like(x)` as a start"),
    Code("S092", _ARGUMENT, "cotangent that doesn't fit the result",
         "A cotangent has the shape and the structure of the result.",
         "use `np.ones_like(y)` as a start"),
    Code("S093", _ARGUMENT, "`argnums` out of range",
         "`argnums` are positions in the signature, from 0.",
         "choose positions of float arguments"),
    Code("S094", _ARGUMENT, "option not known",
         "The option is not one of those that the transforms take.",
         "see `help(s2sad.grad)` for the options"),
    Code("S095", _ARGUMENT, "types that can't be read",
         "Types are written as in Numba: `float64`, `float32`, `int64`, `float64[:, :]`, `(float64, int64)`.",
         "write for instance `float64[:, :], float64, int64`"),
    Code("S096", _ARGUMENT, "auxiliary value missing",
         "With `has_aux=True` the function returns a pair: the value and something more.",
         "return `value, aux`, or leave `has_aux` out"),
    Code("S097", _ARGUMENT, "tape of this form",
         "A tape has one of three index managers, and stores partial derivatives or values.",
         "see `help(s2sad.record)`"),
    Code("S098", _ARGUMENT, "point where a tape doesn't hold",
         "A tape is one way through the program. At the new point a branch, a subscript or a number of trips comes out otherwise.",
         "record at this point"),
    # Checks
    Code("S100", "GradientCheckError", "derivative check failed",
         "A derivative and its independent reference differ by more than rounding explains. The function may have a kink at this point.",
         "check at another point; if it stays, please report it with the function"),
    Code("S101", "StaleInputError", "input changed before the pullback",
         "The pullback reads an array that has been changed since the forward sweep.",
         "pass a copy to `vjp`, or call the pullback before changing the array"),
    # Command line
    Code("S110", _ARGUMENT, "no such file or function",
         "Functions are named as `FILE.py:FUNC`.",
         "write for instance `model.py:loss`"),
    Code("S111", _ARGUMENT, "file that can't be imported",
         "The file is imported to find the function, and this raised an exception.",
         "make `python FILE.py` work first"),
    Code("S112", _ARGUMENT, "arguments that can't be evaluated",
         "`--args` is a Python expression in which `np` and `math` are known.",
         "write for instance `--args \"np.ones(3), 2.0\"`"),
    Code("S113", _ARGUMENT, "unknown name",
         "There is no such code, operation, mode or problem.",
         "see `s2sad --help`"),
    Code("S114", _ARGUMENT, "package that is not installed",
         "Pages need Jinja2 and Pygments, plots of the benchmarks Matplotlib, other frameworks themselves; s2sad alone needs none of them.",
         "install it: `pip install 's2sad[html]'`"),
)  # fmt: skip

CODES: dict[str, Code] = {row.code: row for row in _ROWS}
