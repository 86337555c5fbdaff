"""`python -m dateline_cli`."""

from dateline_cli.main import main

raise SystemExit(main())
