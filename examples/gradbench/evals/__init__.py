"""The modules of GradBench, one file each: the objective as a plain function, and how to run it."""
