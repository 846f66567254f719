"""Whole problems on real data, run by `s2sad demo`."""
