"""`python -m reme_cli` is `reme`."""

from reme_cli.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
