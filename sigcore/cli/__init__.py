"""The `sigcore` command: one module a subcommand, each thin over the library."""
