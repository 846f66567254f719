"""Where each value that the reverse sweep needs is kept, and why."""
