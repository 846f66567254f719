"""What papers say, held against what comes out here."""
