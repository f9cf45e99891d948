"""The description of the package, made of the README: an index has neither its files nor `make`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_INSTALL = """\
## Install

```
uv tool install modelmon
```

`pipx install modelmon` and `pip install modelmon` do the same. You need Python 3.11 or newer.

"""


class DescriptionHook(MetadataHookInterface):
    """What hatchling asks for the metadata that pyproject.toml leaves open."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": description(text)}


def description(readme: str) -> str:
    """The README without pictures and links to files beside it, and with how to get the package."""
    text = re.sub(r"<picture>.*?</picture>\n+", "", readme, flags=re.DOTALL)
    text = re.sub(r"^## Install\n.*?(?=^## )", _INSTALL, text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^## More\n.*", "", text, flags=re.DOTALL | re.MULTILINE)
    # Lines that are nothing but links.
    links = r"^(?:More: )?(?:\[[^\]]*\]\([^)]*\)[ ·,.]*)+$\n+"
    text = re.sub(links, "", text, flags=re.MULTILINE)
    text = re.sub(r" ?\(\[[^\]]*\]\((?!\w+:)[^)]*\)\)", "", text)
    return re.sub(r"\[([^\]]*)\]\((?!\w+:)[^)]*\)", r"\1", text).rstrip() + "\n"
