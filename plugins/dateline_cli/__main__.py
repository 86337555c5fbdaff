"""`python -m dateline_cli`."""

from dateline_cli.entry import main

raise SystemExit(main())
