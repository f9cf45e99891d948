from __future__ import annotations

import os

# Windows of these tests open on no screen; test_real_window.py starts its own.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
