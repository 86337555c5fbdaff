"""`python -m asof_cli`."""

from asof_cli.main import main

raise SystemExit(main())
