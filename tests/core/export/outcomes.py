"""Results of every strategy with every format, on every kind of storage that has a setting."""

from hypothesis import strategies as st

from modelmon.core.comparison.result import Comparison, StrategySummary, Verdict
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.history.origin import Machine
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.machine.block_devices import BlockLayer
from modelmon.core.machine.mounts import FuseMount, NetworkMount
from modelmon.core.machine.storage import MountLayer, StorageStack
from modelmon.core.messages import Message
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.programs.outcome import LIBRARY_READS

KIB = 1024
_DISK = BlockLayer("nvme0n1", "disk", readahead_bytes=128 * KIB)
_PARTITION = BlockLayer("nvme0n1p2", "partition", below=(_DISK,))


def fuse(program):
    return MountLayer(
        "/mnt/my models",
        f"fuse.{program}",
        "the 'bucket'",
        "fuse",
        readahead_bytes=128 * KIB,
        bdi="0:77",
        fuse=FuseMount(program, "object-store"),
    )


MOUNTS = {
    "out of sight": None,
    "local": MountLayer(
        "/", "ext4", "/dev/nvme0n1p2", "local-disk", readahead_bytes=128 * KIB,
        devices=(_PARTITION,),
    ),
    "far ahead": MountLayer(
        "/", "ext4", "/dev/sda", "local-disk", readahead_bytes=8192 * KIB, devices=(_DISK,)
    ),
    "btrfs": MountLayer(
        "/", "btrfs", "/dev/sda", "local-disk", readahead_bytes=128 * KIB, bdi="0:5",
        devices=(_DISK,),
    ),
    "memory": MountLayer("/", "tmpfs", "tmpfs", "memory"),
    "nfs": MountLayer(
        "/mnt", "nfs4", "server:/models", "network", readahead_bytes=128 * KIB, bdi="0:50",
        network=NetworkMount("tcp"),
    ),
    "windows": MountLayer(
        "/mnt/c", "9p", "C:\\", "network", network=NetworkMount("9p", is_windows_drive=True)
    ),
    "gcsfuse": fuse("gcsfuse"),
    "mount-s3": fuse("mount-s3"),
    "rclone": fuse("rclone"),
}  # fmt: skip
CONFIGS = {
    **{name: preset.config for name, preset in PRESETS.items()},
    **{name: LoadConfig(library=name) for name in LIBRARY_READS},
}


def summary(label, strategy, median_ns, config):
    return StrategySummary(
        label="A" if label == "A" else "B",
        strategy=strategy,
        config=config,
        runs=5,
        discarded=0,
        median_ns=median_ns,
        mad_ns=1.0,
        fastest_ns=median_ns - 1,
        slowest_ns=median_ns + 1,
        bytes_per_s=1e9,
    )


def comparison_of(
    strategy,
    path="/models/a.gguf",
    *,
    cache="cold",
    platform="Linux 6.8",
    nbytes=10**9,
    ram_bytes=10**10,
):
    """A is that strategy and wins against mmap."""
    config = CONFIGS[strategy]
    model_format = "gguf" if path.endswith(".gguf") else "safetensors"
    return Comparison(
        model=ModelFingerprint("a model", model_format, nbytes, 9, "0" * 64),
        machine=Machine(platform, 8, ram_bytes, "ext4", "nvme0n1"),
        path=path,
        cache="warm" if cache == "warm" else "cold",
        created_unix_s=1.8e9,
        order="ABBA",
        runs_a=(),
        runs_b=(),
        arm_a=summary("A", strategy, 10**9, config),
        arm_b=summary("B", "mmap", 2 * 10**9, PRESETS["mmap"].config),
        verdict=Verdict(
            "A", Message("Use A: 2× as fast as mmap"), Message("1 s instead of 2 s."),
            Message("caveat"), "high", Message("5 pairs"), 5, 0.5, 0.4, 0.6, 0.98,
        ),
    )  # fmt: skip


def situation(comparison, mount="out of sight"):
    found = MOUNTS[mount]
    stack = StorageStack("/m", "/m", (found,)) if found is not None else None
    return outcome_of(comparison, "A", stack)


names = st.text(
    st.characters(exclude_characters="\0/", exclude_categories=("Cs",)), min_size=1, max_size=30
)
paths = st.builds(
    lambda folder, name, suffix: f"/{folder}/{name}{suffix}",
    names,
    names,
    st.sampled_from((".gguf", ".safetensors", "")),
)
situations = st.builds(
    situation,
    st.builds(
        comparison_of,
        st.sampled_from(sorted(CONFIGS)),
        paths,
        cache=st.sampled_from(("cold", "warm")),
        platform=st.sampled_from(("Linux 6.8", "Linux 5.15.167.4-microsoft-standard-WSL2")),
        ram_bytes=st.sampled_from((10**8, 10**10)),
    ),
    st.sampled_from(sorted(MOUNTS)),
)
