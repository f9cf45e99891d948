"""Runs node.py on nodes of a Ray cluster, by an actor that carries jobs and results, no model.

The only module that imports Ray.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
import time
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from modelmon.core.cluster.result import Node
from modelmon.core.cluster.ways import Ping, offset_of
from modelmon.core.errors import ConfigError
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.messages import NOTHING, Message, from_wire, verbatim
from modelmon.core.terminal_safe import harmless, without_controls

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from modelmon.core.cluster.ways import Offset

_NO_RAY = Message("Clusters need Ray, which isn't installed.")
RESERVED_S = 60.0
"""How long a place on each node is waited for."""
ANSWER_S = 120.0
"""How long a node may take to describe itself: a mount that hangs would keep it for ever."""
_CLOCK_S = 5.0
_LEAST_PINGS = 5
_MOST_PINGS = 60
_ALL_PINGS = 2000
_GOOD_ERROR_NS = 500_000
"""A clock known so well is not asked again."""
_LEAST_WAIT_S = 0.5
_POLLS_PER_S = 128.0
"""Of all nodes together, when nothing happens."""


@cache
def missing() -> Message:
    """Why there can be no cluster here; "" where there can."""
    return NOTHING if find_spec("ray") is not None else _NO_RAY


class RayFleet:
    """Nodes of the cluster at an address, each with an actor of ours; use as a context manager.

    No method raises where a node is lost: `states` says so. Actors belong to this process: whatever
    becomes of it, Ray ends them, and what they have started ends with its input.
    """

    def __init__(self, address: str, nodes: int | None, path: str) -> None:
        """So many nodes, or all of them, for the model at `path`.

        Raises ConfigError where there is no Ray, no cluster, or not so many nodes that are free.
        """
        try:
            import ray  # noqa: PLC0415  optional
            from ray import util as groups  # noqa: PLC0415
            from ray.util.scheduling_strategies import (  # noqa: PLC0415
                PlacementGroupSchedulingStrategy,
            )
        except ModuleNotFoundError as error:
            raise ConfigError(
                _NO_RAY,
                Message("Install it: pip install 'ray[client]'."),
            ) from error
        self._ray: Any = ray
        self._groups: Any = groups
        self._place: Any = PlacementGroupSchedulingStrategy
        self._group: Any = None
        self._actors: dict[int, Any] = {}
        self._polls: dict[Any, int] = {}
        self.nodes: Sequence[Node] = ()
        self._connect(address)
        try:
            self.nodes = self._described(self._started(nodes), path)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> RayFleet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the actors, give their places back and leave the cluster."""
        for number in list(self._actors):
            self.drop(number)
        if self._group is not None:
            with contextlib.suppress(Exception):
                self._groups.remove_placement_group(self._group)
        self._ray.shutdown()

    def begin(self, number: int, job: bytes) -> None:
        """Let a node prepare a load."""
        # Waited for, as an actor with several threads may take up a later call before it.
        with contextlib.suppress(self._ray.exceptions.RayError):
            self._ray.get(self._actors[number].begin.remote(job), timeout=ANSWER_S)

    def offsets(self, numbers: Collection[int]) -> dict[int, Offset]:
        """How far their clocks are ahead; each is asked until one answer was quick."""
        most = max(_LEAST_PINGS, min(_MOST_PINGS, _ALL_PINGS // len(numbers)))
        found: dict[int, Offset] = {}
        for number in numbers:
            pings: list[Ping] = []
            with contextlib.suppress(self._ray.exceptions.RayError):
                while len(pings) < most:
                    sent_ns = time.monotonic_ns()
                    there_ns = int(
                        self._ray.get(self._actors[number].clock.remote(), timeout=_CLOCK_S)
                    )
                    pings.append(Ping(sent_ns, there_ns, time.monotonic_ns()))
                    found[number] = offset_of(pings)
                    good = found[number].error_ns <= _GOOD_ERROR_NS
                    if good and len(pings) >= _LEAST_PINGS:
                        break
        return found

    def go(self, number: int, at_ns: int) -> None:
        """Let a node start at a moment of its own clock."""
        self._actors[number].go.remote(at_ns)

    def states(self, numbers: Collection[int], wait_s: float) -> dict[int, bytes | Message]:
        """How far these are, or why one is lost. Each has one question under way."""
        asked = set(self._polls.values())
        patience_s = max(_LEAST_WAIT_S, len(numbers) / _POLLS_PER_S)
        found: dict[int, bytes | Message] = {}
        for number in numbers:
            if number not in self._actors:
                found[number] = Message("The node was lost.")
            elif number not in asked:
                self._polls[self._actors[number].state.remote(patience_s)] = number
        answered, _ = self._ray.wait(
            list(self._polls), num_returns=len(self._polls), timeout=wait_s
        )
        for answer in answered:
            number = self._polls.pop(answer)
            if number not in numbers:
                continue
            try:
                found[number] = self._ray.get(answer)
            except self._ray.exceptions.RayError as error:
                found[number] = self._why(error)
        return found

    def drop(self, number: int) -> None:
        """End an actor; its worker ends with it, and the loaders with that."""
        actor = self._actors.pop(number, None)
        self._polls = {ref: other for ref, other in self._polls.items() if other != number}
        if actor is not None:
            with contextlib.suppress(Exception):
                self._ray.kill(actor)

    def _connect(self, address: str) -> None:
        told_to_end = signal.getsignal(signal.SIGTERM)
        try:
            _check_answers(address)
            self._ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (OSError, RuntimeError, ValueError) as error:
            words = without_controls(str(error)).strip().splitlines()
            what = next(iter(words), type(error).__name__)
            raise ConfigError(
                Message(
                    "Couldn't connect to a Ray cluster at {address}: {what}",
                    address=address,
                    what=what,
                ),
                Message("Start one with ray start, or name another with --address."),
            ) from error
        finally:
            # Ray takes the signal for itself, and would end this process without a word.
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, told_to_end)

    def _started(self, nodes: int | None) -> list[str]:
        """The names of nodes that have an actor each."""
        names = self._names()
        count = len(names) if nodes is None else nodes
        if not 0 < count <= len(names):
            raise ConfigError(
                Message(
                    "The cluster has {found} nodes with a processor, not {count}.",
                    found=len(names),
                    count=count,
                ),
                Message("Choose fewer with --nodes, or start Ray on more."),
            )
        self._group = self._groups.placement_group([{"CPU": 1}] * count, strategy="STRICT_SPREAD")
        if not self._group.wait(RESERVED_S):
            raise ConfigError(
                Message(
                    "{count} nodes don't have a free processor each: others use them.", count=count
                ),
                Message("Choose fewer with --nodes, or wait until they are free."),
            )
        placed = self._groups.placement_group_table(self._group)["bundles_to_node_id"]
        actor = self._ray.remote(_actor_class())
        for number in range(count):
            self._actors[number] = actor.options(
                num_cpus=1, max_concurrency=8, scheduling_strategy=self._place(self._group, number)
            ).remote()
        return [names[placed[number]] for number in range(count)]

    def _names(self) -> dict[str, str]:
        """A name for each node by its number in Ray; nodes without a processor run nothing."""
        alive = [
            node
            for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        ]
        found: dict[str, str] = {}
        for node in sorted(alive, key=lambda node: (node["NodeManagerAddress"], node["NodeID"])):
            called = node["NodeName"]
            name = called if called != node["NodeManagerAddress"] else node["NodeManagerHostname"]
            name = without_controls(str(name))
            same = sum(1 for each in found.values() if each.partition(" ")[0] == name)
            found[node["NodeID"]] = f"{name} ({same + 1})" if same else name
        return found

    def _described(self, names: Sequence[str], path: str) -> list[Node]:
        answers = [self._actors[number].described.remote(path) for number in range(len(names))]
        self._ray.wait(answers, num_returns=len(answers), timeout=ANSWER_S)
        nodes: list[Node] = []
        for number, (name, answer) in enumerate(zip(names, answers, strict=True)):
            try:
                told = harmless(self._ray.get(answer, timeout=0.1))
                node = msgspec.json.decode(told, type=Node, dec_hook=from_wire)
                node = msgspec.structs.replace(node, name=name)
            except self._ray.exceptions.RayError as error:
                node = Node(name, why_not=self._why(error))
            except UNDECODABLE as error:
                why = Message("What the node sent can't be read: {reason}", reason=error)
                node = Node(name, why_not=why)
            nodes.append(node)
            if node.why_not:
                self.drop(number)
        return nodes

    def _why(self, error: Exception) -> Message:
        """Why a node doesn't answer, as a sentence."""
        known = self._ray.exceptions
        cause = getattr(error, "cause", None)
        if isinstance(cause, ModuleNotFoundError):
            module = without_controls(cause.name or "modelmon")
            return Message("{module} isn't installed on the node.", module=module)
        if isinstance(error, known.GetTimeoutError):
            return Message("The node didn't answer in {seconds} s.", seconds=round(ANSWER_S))
        if isinstance(error, known.OutOfMemoryError):
            return Message("The node ran out of memory, and Ray ended the load.")
        if isinstance(error, known.RayActorError):
            return Message("The node was lost: its process ended, or the machine left the cluster.")
        words = without_controls(str(error)).strip().splitlines()
        return verbatim(next(iter(words), type(error).__name__))


def _check_answers(address: str) -> None:
    """Raise OSError where nobody listens: Ray itself would try again for minutes."""
    place = urlsplit(address if "://" in address else f"//{address}")
    if place.hostname and place.port:
        socket.create_connection((place.hostname, place.port), _CLOCK_S).close()


def _actor_class() -> type:
    """What Ray runs on a node, sent there as it is: one without modelmon can say so.

    What comes back is plain: bytes and numbers.
    """

    class ModelmonNode:
        def described(self, path: str) -> bytes:
            from modelmon.core.cluster.node import described  # noqa: PLC0415

            return described(path)

        def begin(self, job: bytes) -> None:
            from modelmon.core.cluster.node import NodeLoad  # noqa: PLC0415

            self.load = NodeLoad(job)

        def clock(self) -> int:
            import time  # noqa: PLC0415

            return time.monotonic_ns()

        def go(self, at_ns: int) -> None:
            self.load.go(at_ns)

        def state(self, wait_s: float) -> bytes:
            return self.load.state(wait_s)

    return ModelmonNode
