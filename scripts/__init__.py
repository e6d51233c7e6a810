"""Scripts of the workflow: one a rule, each reads its inputs, calls sigcore and writes outputs."""
