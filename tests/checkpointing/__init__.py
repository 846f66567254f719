"""Schedules, and loops under them."""
