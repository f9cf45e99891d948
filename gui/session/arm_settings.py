"""How both arms load: each as it was set, by a preset of the user's own, or by a program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.comparison.commands import GivenCommand
from modelmon.core.errors import ConfigError
from modelmon.core.load import rules
from modelmon.core.load.config import CUSTOM, preset, with_axis
from modelmon.core.load.strategies import strategy, strategy_name, strategy_names
from modelmon.core.messages import verbatim
from modelmon.core.worker.command_words import recorded_words, taken_apart
from modelmon.core.worker.result import UNSAID
from modelmon.gui.language import mark, tr
from modelmon.gui.session.watched_run import LIMIT_S, WatchRequest

if TYPE_CHECKING:
    from modelmon.core.history.rows import RunRow
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.session.notices import ArmLabel

UNTOUCHED = "untouched"
"""A delivery that only libraries have: it is measured in one arm alone and never compared."""

_SHARED_AXIS = "deliver"
_SETS_THE_REST = "library"


@dataclass(frozen=True, slots=True)
class ArmProgram:
    """A program in place of a strategy: its command as text, the sign that it is ready
    (watch/ready.py), and when it is ended.

    `agreed` says that the person typed it in this window, or has read it there in full: what a file
    says of a command starts nothing.
    """

    command: str
    ready: str = ""
    limit_s: int = LIMIT_S
    agreed: bool = True

    @classmethod
    def of_run(cls, run: RunRow | RunResult, limit_s: int = LIMIT_S, *, agreed: bool) -> ArmProgram:
        """The one that was watched in a run."""
        ready = "" if run.ready == UNSAID else run.ready
        return cls(run.command, ready, limit_s, agreed)

    @property
    def name(self) -> str:
        """The program's name."""
        return taken_apart(self.command).name

    @property
    def given(self) -> GivenCommand:
        """What is started for it."""
        words = recorded_words(self.command) or [self.command]
        return GivenCommand(words, self.ready, self.limit_s * 10**9)

    def request(self, cache: Cache) -> WatchRequest:
        """It as Watch starts it."""
        return WatchRequest(
            tuple(self.given.words), ready=self.ready, cache=cache, limit_s=self.limit_s
        )


class ArmSettings:
    """Two LoadConfigs that can be run and, unless one is untouched, deliver the same.

    A program comes in place of one, which stays behind it.
    """

    def __init__(self) -> None:
        self._configs = default_arms()
        self.programs: dict[ArmLabel, ArmProgram] = {}
        """What loads in place of a strategy, by its arm."""

    def config(self, label: ArmLabel) -> LoadConfig:
        """How an arm loads, unless by a program."""
        return self._configs[label]

    def obstacle(self, label: ArmLabel, axis: str, value: object) -> str:
        """Why `axis` of an arm cannot be `value` as both arms stand; "" if it can."""
        config, other = self._configs[label], other_arm(label)
        if axis == _SETS_THE_REST:
            return ""
        reason = rules.obstacle(config, axis, value)
        if reason or axis != _SHARED_AXIS or value == UNTOUCHED or other in self.programs:
            return reason
        reason = rules.obstacle(self._configs[other], axis, value)
        if not reason:
            return ""
        return tr(
            "A and B need the same delivery, but {arm} can't use it: {reason}",
            arm=other,
            reason=reason,
        )

    def set_config(self, label: ArmLabel, config: LoadConfig) -> None:
        """Change how an arm loads; what it delivers is delivered by the other arm too, unless that
        is a program: what one delivers nobody chooses.
        """
        self.programs.pop(label, None)
        before = self._configs[label]
        config = self._configs[label] = rules.nearest_possible(config)
        other = other_arm(label)
        follower = self._configs[other]
        if config.deliver == UNTOUCHED or other in self.programs:
            return
        if follower.deliver == UNTOUCHED and config.deliver == before.deliver:
            return
        follower = rules.nearest_possible(replace(follower, deliver=config.deliver))
        self._configs[other] = follower
        # What the other arm cannot deliver cannot be compared, so this one gives way.
        self._configs[label] = rules.nearest_possible(replace(config, deliver=follower.deliver))

    def set_strategy(self, label: ArmLabel, config: LoadConfig) -> None:
        """Load as a named strategy does; what is delivered stays, where that is possible."""
        config = rules.nearest_possible(replace(config, deliver="usable"))
        # What stands behind a program may deliver what the other arm does not any more.
        deliver = self._configs[other_arm(label) if label in self.programs else label].deliver
        if deliver == UNTOUCHED and rules.obstacle(config, _SHARED_AXIS, UNTOUCHED):
            deliver = self._configs[other_arm(label)].deliver
        self.set_config(label, replace(config, deliver=deliver))

    def set_axis(self, label: ArmLabel, axis: str, text: str) -> None:
        """Change one axis; raises ConfigError where that is impossible.

        A library decides for most axes, so choosing one changes those as well.
        """
        config = with_axis(self._configs[label], axis, text)
        reason = self.obstacle(label, axis, getattr(config, axis))
        if reason:
            raise ConfigError(verbatim(reason), verbatim(tr("Change the other setting first.")))
        if axis == _SETS_THE_REST:
            self.set_strategy(label, config)
        else:
            self.set_config(label, config)

    def swap(self) -> None:
        """Exchange the two."""
        self._configs = {"A": self._configs["B"], "B": self._configs["A"]}
        self.programs = {other_arm(label): program for label, program in self.programs.items()}

    def obstacle_to_comparing(self) -> str:
        """Why the arms cannot be compared; "" if they can."""
        if self._are_the_same:
            return tr("A and B are the same. Change one of them first.")
        for label, config in self._configs.items():
            if label in self.programs:
                if not self.programs[label].agreed:
                    return not_agreed(label)
            elif config.deliver == UNTOUCHED:
                return tr(
                    "{arm} uses untouched, which can't be compared. Run it alone, or "
                    "choose another delivery.",
                    arm=label,
                )
        return ""

    @property
    def _are_the_same(self) -> bool:
        a, b = self.programs.get("A"), self.programs.get("B")
        if a is None or b is None:
            return a is b and self._configs["A"] == self._configs["B"]
        return (a.command, a.ready) == (b.command, b.ready)


def not_agreed(label: ArmLabel) -> str:
    """Why a program is not run that a file has put into an arm."""
    return tr("{arm}'s command comes from a file. Read it first: Edit on its card.", arm=label)


def default_arms() -> dict[ArmLabel, LoadConfig]:
    """What a new window compares: what loaders do today, and what is usually fastest."""
    return {"A": preset("mmap").config, "B": preset("auto").config}


def other_arm(label: ArmLabel) -> ArmLabel:
    """B for A, A for B."""
    return "B" if label == "A" else "A"


OWN_SENTENCE = mark("Your preset.")


class OwnPresets(QObject):
    """Names and configurations in the order in which they were saved; says when they change."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._configs: dict[str, LoadConfig] = {}

    @property
    def configs(self) -> dict[str, LoadConfig]:
        """All of them by name."""
        return dict(self._configs)

    def replace_all(self, configs: dict[str, LoadConfig]) -> None:
        """Have these and no others, as they were stored."""
        wanted = {name: config for name, config in configs.items() if not name_fault(name)}
        if wanted != self._configs:
            self._configs = wanted
            self.changed.emit()

    def save(self, name: str, config: LoadConfig) -> None:
        """Keep a configuration under a name that has no fault; one of that name is replaced."""
        self._configs[name] = config
        self.changed.emit()

    def remove(self, name: str) -> None:
        """Forget the preset of this name."""
        self._configs.pop(name, None)
        self.changed.emit()

    def config(self, name: str) -> LoadConfig:
        """The configuration that a name stands for, here or in modelmon; raises ConfigError."""
        return self._configs[name] if name in self._configs else strategy(name).config

    def name_of(self, config: LoadConfig) -> str:
        """What a configuration is called, delivery aside; modelmon's own names come first."""
        known = strategy_name(config)
        if known != CUSTOM:
            return known
        for name, own in self._configs.items():
            if replace(own, deliver=config.deliver) == config:
                return name
        return CUSTOM


def name_fault(name: str) -> str:
    """Why a preset cannot be called so; "" if it can."""
    if not name.strip():
        return tr("Enter a name.")
    if name in (CUSTOM, *strategy_names()):
        return tr("{name} is a built-in strategy. Choose another name.", name=name)
    return ""
