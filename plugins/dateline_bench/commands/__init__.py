"""The subcommands `dateline evaluate`, `data` and `grow`."""
