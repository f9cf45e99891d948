"""`python -m modelmon.core.worker`: one job in, one JSON line out per event."""

import sys

from modelmon.core.worker.process import main

sys.exit(main())
