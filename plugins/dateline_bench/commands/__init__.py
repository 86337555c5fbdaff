"""The subcommands `dateline evaluate`, `data`, `certainty` and `grow`."""
