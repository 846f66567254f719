"""Questions about a program, one each, with frozen answers."""
