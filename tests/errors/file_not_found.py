from s2sad import cli


def run():
    cli.load("nowhere.py:f")
