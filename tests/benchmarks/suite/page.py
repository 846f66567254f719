"""Put what was measured on the page about benchmarks: its table and its picture.

s2sad bench --suite --json > ratios.json
python -m benchmarks.suite.page ratios.json        (in tests/)
"""

import json
import sys
from pathlib import Path

from s2sad import suite

DOCS = Path(__file__).parents[3] / "docs"
START, END = "<!-- measured -->\n", "<!-- until here -->\n"


def table(rows: list[suite.Row]) -> str:
    """The rows as a table in Markdown."""
    lines = [
        "| program | " + " | ".join(suite.COLUMNS.values()) + " |",
        "|---" + "|--:" * len(suite.COLUMNS) + "|",
    ]
    for row in rows:
        cells = (suite.shown(row.get(name)) for name in suite.COLUMNS)
        lines.append(f"| {row['program']} | " + " | ".join(cells) + " |")
    means = (suite.shown(suite.mean(rows, name)) for name in suite.COLUMNS)
    lines.append("| **geometric mean** | " + " | ".join(means) + " |")
    return "\n".join(lines) + "\n"


def main(file: str) -> None:
    rows = json.loads(Path(file).read_text(encoding="utf-8"))
    page = DOCS / "benchmarks.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(START)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{START}{table(rows)}{END}{after}", encoding="utf-8")
    picture = DOCS / "benchmarks.svg"
    suite.draw(rows, picture)
    lines = picture.read_text(encoding="utf-8").splitlines()
    picture.write_text("\n".join(map(str.rstrip, lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
