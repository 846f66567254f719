"""Methods of lists of numbers: where a number stands, and how often."""

from __future__ import annotations


def index(values, value):
    return place(values, value, "list.index(x): x not in list")


def remove(values, value):
    return place(values, value, "list.remove(x): x not in list")  # the caller takes it out


def count(values, value):
    found = 0
    for k in range(len(values)):
        if values[k] == value:
            found += 1
    return found


def place(values, value, text):
    for k in range(len(values)):
        if values[k] == value:
            return k
    raise ValueError(text)
