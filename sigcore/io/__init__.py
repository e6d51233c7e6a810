"""Reading and writing: one parser a format, tables at the edge of the library."""
