"""From IR to Python text, and from text to functions that can be called."""
