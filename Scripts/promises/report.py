"""What was promised, and what was counted."""
import sys
from pathlib import Path


def say(text):
    print(text, flush=True)


class Report:
    """Prints each promise with what was counted, and all of them as a table at the end."""

    def __init__(self):
        self.rows = []
        self.sections = 0

    def section(self, title):
        self.sections += 1
        say(f"\n{self.sections}. {title}")

    def check(self, promise, is_kept, counted):
        say(f"  {'yes' if is_kept else 'NO '}  {promise}: {counted}")
        self.rows.append((promise, is_kept, counted))

    @property
    def broken(self):
        return [promise for promise, is_kept, _ in self.rows if not is_kept]

    def table(self):
        say("\n| promise | counted |\n|---|---|")
        for promise, is_kept, counted in self.rows:
            say(f"| {promise} | {'' if is_kept else '**broken:** '}{counted} |")


def fail(text):
    sys.exit(f"{Path(sys.argv[0]).name}: {text}")
