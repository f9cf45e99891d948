"""Starting a loader: it imports little, whatever the engine is asked for."""

import subprocess
import sys

HEAVY = ("numpy", "msgspec", "gguf", "safetensors", "torch", "psutil", "ml_dtypes", "click")
LIST = (
    "import sys; import modelmon.core.load.loader;"
    "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
)


def test_that_a_loader_imports_the_standard_library_only():
    done = subprocess.run(
        [sys.executable, "-P", "-c", LIST], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert loaded.isdisjoint(HEAVY)
    assert "modelmon" in loaded
    # What site-packages hook into every start of this interpreter is none of the loader's.
    bare = subprocess.run(
        [sys.executable, "-P", "-c", LIST.replace("import modelmon.core.load.loader;", "")],
        capture_output=True,
        text=True,
        check=True,
    )
    added = loaded - set(bare.stdout.split()) - {"modelmon"}
    assert added <= set(sys.stdlib_module_names), added - set(sys.stdlib_module_names)
