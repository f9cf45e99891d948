"""`python -m modelmon.core.worker`: one job in, one JSON line out per event."""

import sys

from modelmon.core.worker.supervisor import main

sys.exit(main())
