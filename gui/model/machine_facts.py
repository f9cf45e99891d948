"""What the side panel says of storage and memory once the doctor has looked. Pure text."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from modelmon.core.machine.cached_pages import why_unknown
from modelmon.core.units import percent_text, request_text, size_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.model.facts import READAHEAD, in_use, on_text
from modelmon.gui.session.machine import disk_kind
from modelmon.gui.widgets.fact_section import Fact

if TYPE_CHECKING:
    from modelmon.core.doctor.diagnosis import Diagnosis, Finding
    from modelmon.core.machine.block_devices import BlockLayer
    from modelmon.core.machine.file_state import FileState

_LAYERS = {
    "lvm": "LVM",
    "luks": "LUKS",
    "crypt": "dm-crypt",
    "verity": "dm-verity",
    "multipath": "multipath",
    "mapped": "dm",
    "zram": "zram",
}

SEVERITIES = {"problem": mark("problem"), "note": mark("note"), "ok": mark("ok")}
"""What the window calls how bad a finding is."""


def storage_facts(found: Diagnosis, *, loading: bool = False) -> list[Fact]:
    """The chain of devices, the mount and what is set there, what is cached, or was before what
    is `loading`, who uses it.
    """
    mount, storage = found.storage_stack.lowest, found.storage
    chain = chain_text(found)
    disk = tr("{disk}, {kind}", disk=chain, kind=disk_kind(storage))
    facts = [Fact(tr("Disk"), disk, "\n".join(chain_lines(found)))]
    names = [one.filesystem for one in found.storage_stack.mounts] or [storage.filesystem]
    where = on_text(reduce(_over, names), storage.mount_point)
    tip = [f"{storage.source} ({storage.options})"]
    if storage.free_bytes is not None:
        tip.append(tr("{size} free", size=size_text(storage.free_bytes)))
    facts.append(Fact(tr("Mount"), where, "\n".join(tip)))
    readahead = mount.readahead_bytes if mount is not None else storage.readahead_bytes
    if readahead is not None:
        facts.append(Fact(tr("Readahead"), request_text(readahead), tr(READAHEAD)))
    options = [option for one in found.storage_stack.mounts for option in one.options]
    if options:
        meanings = "\n".join(f"{option.option}: {said(option.meaning)}" for option in options)
        facts.append(Fact(tr("Options"), ", ".join(option.option for option in options), meanings))
    if found.file is not None:
        facts.append(_cached(found.file, loading=loading))
        facts += in_use(found.file.users)
    return facts


def memory_facts(found: Diagnosis) -> list[Fact]:
    """What the doctor adds to RAM and swap: a missing limit, huge pages, compressed swap."""
    facts = []
    if found.cgroup_version is not None and found.memory.cgroup_limit_bytes is None:
        facts.append(
            Fact("cgroup", tr("no limit"), tr("Version {number}", number=found.cgroup_version))
        )
    pages = found.huge_pages
    if pages.private is not None:
        mode = pages.private
        if pages.size_bytes is not None:
            mode = tr("{mode} of {size}", mode=mode, size=request_text(pages.size_bytes))
        told = tr(
            "Private memory: {private}. Shared memory: {shared}.",
            private=pages.private,
            shared=pages.shared or tr("not specified"),
        )
        facts.append(Fact(tr("Huge pages"), mode, told))
    zswap = found.swap.zswap
    if zswap is not None and zswap.enabled:
        nbytes = zswap.held_bytes
        held = tr("on") if nbytes is None else tr("holds {size}", size=size_text(nbytes))
        how = tr("Compressed in RAM by {compressor}", compressor=zswap.compressor)
        facts.append(Fact("zswap", held, how))
    return facts


def chain_text(found: Diagnosis) -> str:
    """What the path stands on in one line, from the filesystem down: `LUKS on nvme0n1p2`."""
    mount = found.storage_stack.lowest
    if mount is None:
        return found.storage.device or found.storage.source
    if mount.devices:
        return " + ".join(_layers_text(device) for device in mount.devices)
    return mount.source


def chain_lines(found: Diagnosis) -> list[str]:
    """Every mount and device below the path, a line each."""
    lines = []
    for mount in found.storage_stack.mounts:
        lines.append(
            tr(
                "{filesystem} on {place} from {source}",
                filesystem=mount.filesystem,
                place=mount.mount_point,
                source=mount.source,
            )
        )
        for device in mount.devices:
            for layer in device.walk():
                size = f", {size_text(layer.size_bytes)}" if layer.size_bytes is not None else ""
                model = f", {layer.disk.model}" if layer.disk and layer.disk.model else ""
                lines.append(f"{_layer_name(layer)}{model}{size}")
    lines += [tr("image {path}", path=image.path) for image in found.storage_stack.images]
    return lines


def hurts(found: Diagnosis) -> list[Finding]:
    """The findings that speak of something that holds a load back, the worst first."""
    return [finding for finding in found.findings if finding.severity != "ok"]


def finding_tip(finding: Finding) -> str:
    """Evidence, remedy, and where a claim comes from that was not measured here."""
    rows = finding.rows
    return "\n".join(tr("{name}: {what}", name=name, what=what) for name, what in rows)


def _cached(file: FileState, *, loading: bool) -> Fact:
    if file.cached_share is None:
        return Fact(tr("Cached"), tr("unknown"), said(why_unknown(file.cached_source)))
    tip = [tr("Share of the file in the page cache, from {source}", source=file.cached_source)]
    if file.opening_may_drop_cache:
        tip.append(tr("Opening the file to check may have dropped more from the cache."))
    share = percent_text(file.cached_share)
    share = (
        tr("{share} before measuring", share=share) if loading else tr("{share} now", share=share)
    )
    return Fact(tr("Cached"), share, "\n".join(tip))


def _over(upper: str, lower: str) -> str:
    return tr("{upper} over {lower}", upper=upper, lower=lower)


def _layers_text(layer: BlockLayer) -> str:
    """A device and all below it; of a partition its own name says the disk's."""
    below = () if layer.kind == "partition" else layer.below
    if not below:
        return layer.name
    return on_text(_layer_name(layer), " + ".join(_layers_text(one) for one in below))


def _layer_name(layer: BlockLayer) -> str:
    if layer.kind in _LAYERS:
        return " ".join(filter(None, (_LAYERS[layer.kind], layer.title or layer.name)))
    return f"{layer.name} ({layer.title})" if layer.title else layer.name
