"""Lists consumers whose settings were held against their program's source too long ago, or never.

    python -m tests.engines.unchecked [DAYS]

ends with 1 where there are any.
"""

import sys
from datetime import UTC, date, datetime

from modelmon.core.programs.modelmon import OWN, PROGRAM_ID
from modelmon.core.programs.registry import CONSUMERS

MOST_DAYS = 90


def unchecked(consumers, today, most_days=MOST_DAYS):
    """A line for each, but for modelmon and what was tested itself."""
    for each in consumers:
        if each.name in {OWN, PROGRAM_ID}:
            continue
        if each.checked is None:
            yield f"{each.title}: never"
            continue
        days = (today - date.fromisoformat(each.checked.date)).days
        if days > most_days:
            yield f"{each.title}: {days} days ago, {each.checked.repository} {each.checked.commit}"


def main():
    """As a command."""
    most_days = int(sys.argv[1]) if len(sys.argv) > 1 else MOST_DAYS
    lines = list(unchecked(CONSUMERS.values(), datetime.now(UTC).date(), most_days))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
