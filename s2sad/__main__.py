"""`python -m s2sad`, the same as `s2sad`."""

from s2sad.cli import app

if __name__ == "__main__":
    app(prog_name="s2sad")
