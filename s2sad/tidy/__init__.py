"""Small passes over generated code, a before and after in each."""
