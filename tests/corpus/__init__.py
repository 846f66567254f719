"""Small functions in the language of s2sad, by theme; each is tested in every mode by `test_corpus.py`.

Adding a case is one line in the CASES of a theme: `case(function, *arguments)`.
"""

import importlib
import pkgutil

CASES = [
    c
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name != "case")
    for c in importlib.import_module(f"{__name__}.{module}").CASES
]
