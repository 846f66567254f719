"""The shape of the reverse sweep: passes over its loops, each with a before and an after.

They run last, on the sweep as it is going to be printed, tangents included, and each can be left out. What they do to
memory traffic decides what a stencil's gradient costs: additions scattered over neighbours, last iteration first,
take 11 ns a cell where gathered ones take 1.5.
"""
