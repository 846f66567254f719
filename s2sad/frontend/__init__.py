"""Python functions to IR; the only user of gast."""
