"""The intermediate representation: nodes, what is legal, walks, names, a textual form, an interpreter."""
