"""Recorded runs: what is on them, and what they serve."""

from s2sad.tapes.recording import record, sparsity
from s2sad.tapes.tape import Tape

__all__ = ["Tape", "record", "sparsity"]
