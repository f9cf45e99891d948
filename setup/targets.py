"""The targets of the Makefile: what they need, and what they start."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import demonstration
import environment
import qt
import system_packages
import translations as linguist
from checks import run_checks, run_tests
from console import SetupError, complain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

XVFB_RUN = ("xvfb-run", "--auto-servernum", "--server-args=-screen 0 2560x1600x24")
BENCHMARKS = ["monitor", "engine"]
NO_XVFB = "Without xvfb-run and xdotool, tests of a window on a real display are left out."


def setup() -> int:
    """Everything that the other targets install."""
    needed = [*environment.packages_lacking(), *qt.packages_lacking("offscreen", "xcb")]
    wanted = [*_virtual_display(), *_typist(), *_ssh_server()]
    system_packages.provide(needed, wanted, NO_XVFB)
    environment.prepare(development=True)
    if reason := qt.why_not("offscreen"):
        raise SetupError(f"Qt cannot start: {reason}")
    return 0


def run() -> int:
    """The program, with a sample model where MODEL names none."""
    _prepare_program(*qt.platforms_of_display())
    return demonstration.start(os.environ.get("MODEL", ""))


def test() -> int:
    """Linters, types, import rules and tests."""
    return setup() or run_checks(_words("PYTEST_ARGS"))


def test_long() -> int:
    """What not each change needs: journeys by mouse, every language and size, the wheel."""
    return setup() or run_tests("-m", "long", *_words("PYTEST_ARGS"))


def soak() -> int:
    """Thousands of examples of each property, known truth on real storage, kills; then, one after
    the other, what is true on a quiet machine only.
    """
    chosen = ("--hypothesis-profile=soak", "-m", "(soak or hypothesis) and not quiet")
    # Beside other work, a thousand examples take longer than a test may otherwise.
    patient = ("--timeout=1800", "-o", "faulthandler_timeout=2000")
    given = (*patient, *_words("PYTEST_ARGS"))
    return setup() or max(run_tests(*chosen, *given), run_tests("-n", "0", "-m", "quiet", *given))


def test_engines() -> int:
    """Tests with real programs that load models, from the groups that ENGINES names."""
    done = setup()
    environment.prepare_engines(_words("ENGINES") or ["engines"])
    os.environ["MODELMON_ENGINES_PYTHON"] = environment.ENGINES_PYTHON
    # Programs that are installed on this machine come first.
    os.environ["PATH"] += os.pathsep + str(environment.ENGINES / "bin")
    tests = ("tests/engines", *_words("PYTEST_ARGS"))
    # Baselines run in this Python, with the packages that they load by.
    packages = os.pathsep.join(map(str, environment.ENGINES.glob("lib/*/site-packages")))
    baselines = ("-m", "pytest", "tests/core/load/libraries")
    return (
        done
        or _python("-m", "pytest", *tests)
        or _python(*baselines, wrapper=("env", f"PYTHONPATH={packages}"))
    )


def test_cluster() -> int:
    """Tests with several nodes of Ray on this machine."""
    done = setup()
    environment.prepare_cluster()
    return done or _python("-m", "pytest", "tests/cluster", *_words("PYTEST_ARGS"))


def bench() -> int:
    """The benchmarks that BENCH names: how fast models load, and what watching that costs."""
    names = _words("BENCH") or BENCHMARKS
    arguments = _words("BENCH_ARGS")
    if arguments and len(names) > 1:
        raise SetupError("BENCH_ARGS are for one benchmark: name it, as in BENCH=engine.")
    _prepare_program()
    statuses = [_python(f"benchmarks/{name}.py", *arguments) for name in names]
    return max(statuses)


def man() -> int:
    """The man page, from what --help says, as build/modelmon.1."""
    _prepare_program()
    page = subprocess.run(
        [environment.PYTHON, "-m", "modelmon.core.cli.man_page"], capture_output=True, check=True
    )
    target = environment.ROOT / "build" / "modelmon.1"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(page.stdout)
    return 0


def screenshots() -> int:
    """The README's pictures, or those that SCREENSHOTS_ARGS ask for, from a virtual display."""
    system_packages.provide([*_virtual_display(), *_chinese_font()])
    arguments = _words("SCREENSHOTS_ARGS")
    return setup() or _python("-m", "tests.system.screenshots", *arguments, wrapper=XVFB_RUN)


def package() -> int:
    """Wheel, sdist, a .deb and one file that installs itself, in dist/ with their checksums."""
    import package as building  # noqa: PLC0415  an old Python reads this file, not that one

    return building.package()


def test_packages() -> int:
    """What `make package` built, installed in clean roots of Debian, used and removed; as root."""
    if not [*(environment.ROOT / "dist").glob("*.deb")]:
        raise SetupError("Nothing is built yet: run make package first.")
    system_packages.provide(["debootstrap", "desktop-file-utils", "appstream", "lintian"])
    # What Debian's package manager takes on a busy machine is no fault.
    patient = ("--timeout=1800", "-o", "faulthandler_timeout=2000")
    return setup() or _python("-m", "pytest", "tests/packages", *patient, *_words("PYTEST_ARGS"))


def translations() -> int:
    """Qt Linguist's files, brought up to date with the sources."""
    return setup() or linguist.update()


TARGETS: dict[str, Callable[[], int]] = {
    target.__name__.replace("_", "-"): target
    for target in (
        setup,
        run,
        test,
        test_long,
        soak,
        test_engines,
        test_cluster,
        bench,
        man,
        screenshots,
        package,
        test_packages,
        translations,
    )
}


def main(arguments: Sequence[str]) -> None:
    """Run the target that the Makefile names, and leave with its status."""
    try:
        sys.exit(TARGETS[arguments[0]]())
    except SetupError as error:
        complain(str(error))
    except PermissionError as error:
        complain(f"{error}\nDo the folder and what is in it belong to you?")
    except KeyboardInterrupt:
        complain("Interrupted.")
        sys.exit(130)
    sys.exit(2)


def _prepare_program(*platforms: str) -> None:
    system_packages.provide([*environment.packages_lacking(), *qt.packages_lacking(*platforms)])
    environment.prepare(development=False)


def _virtual_display() -> list[str]:
    missing = sys.platform == "linux" and not shutil.which("xvfb-run")
    return ["xvfb", "xauth"] if missing else []


def _chinese_font() -> list[str]:
    """What Chinese in the pictures is written with, where no font has it."""
    finds = shutil.which("fc-list") and ["fc-list", ":lang=zh-cn", "family"]
    found = finds and subprocess.run(finds, check=False, capture_output=True).stdout
    return ["fonts-wqy-zenhei"] if sys.platform == "linux" and not found else []


def _typist() -> list[str]:
    """What presses keys and moves the mouse on the virtual display."""
    missing = sys.platform == "linux" and not shutil.which("xdotool")
    return ["xdotool"] if missing else []


def _ssh_server() -> list[str]:
    """What tests log into. Its package may start a server that the network reaches, so that it is
    installed only on machines at which nobody sits.
    """
    places = f"{os.environ.get('PATH', '')}:/usr/sbin"
    missing = sys.platform == "linux" and not shutil.which("sshd", path=places)
    return ["openssh-server"] if missing and system_packages.may_install_unasked() else []


def _words(variable: str) -> list[str]:
    return shlex.split(os.environ.get(variable, ""))


def _python(*arguments: str, wrapper: Sequence[str] = ()) -> int:
    command = [*wrapper, environment.PYTHON, *arguments]
    return subprocess.run(command, cwd=environment.ROOT, check=False).returncode
