"""Look into a built wheel: every module of the source tree is in it, its data, and nothing else.

Run by the continuous checks: `python tests/check_wheel.py s2sad-*.whl`.
"""

import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def expected() -> set[str]:
    """The files that belong in a wheel, as the wheel names them."""
    package = ROOT / "s2sad"
    ours = {
        p.relative_to(ROOT).as_posix() for kind in ("*.py", "*.html", "py.typed") for p in package.rglob(kind)
    }
    return ours | {
        f"s2sad_runtime/{p.relative_to(ROOT / 'runtime').as_posix()}"
        for p in (ROOT / "runtime").rglob("*.py")
    }


def main(wheel: str) -> int:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    for missing in sorted(expected() - names):
        print(f"missing from the wheel: {missing}")
    for extra in sorted(names - expected()):
        print(f"not expected in the wheel: {extra}")
    print(f"{wheel.rpartition('/')[2]}: {len(names)} files")
    return int(names != expected())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
