"""Handlers: each gives the statements of a program a meaning, forward above its `yield`, reverse below."""
