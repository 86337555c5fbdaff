"""Entry of the command, which imports nothing before it can be interrupted."""


def main() -> int:
    """Run the command; returns the exit code."""
    try:
        # The imports take a second or more.
        from dateline_cli.main import main

        return main()
    except KeyboardInterrupt:
        import sys

        print("dateline: interrupted.", file=sys.stderr)
        return 130
