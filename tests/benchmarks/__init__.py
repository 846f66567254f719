"""Numeric programs of the kinds that people differentiate: stencils, time steppers, particles, samples, factors."""
