"""A pretended machine below a folder, as its /proc and /sys show it."""

from modelmon.core.machine.storage import storage_of, storage_stack_of

NVME = "sys/devices/pci0000:00/0000:00:1d.0/0000:02:00.0/nvme/nvme0/nvme0n1"
PARTITION = f"{NVME}/nvme0n1p2"
SATA = "sys/devices/pci0000:00/0000:00:17.0/ata{n}/host0/target0:0:0/0:0:0:0/block/sd{letter}"
USB = "sys/devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sdc"
VIRTIO = "sys/devices/pci0000:00/0000:00:02.0/virtio1/block/vda"
VIRTUAL = "sys/devices/virtual/block/{}"


class Pretended:
    """A machine with one mount, at a folder with a space, which the kernel writes in another way;
    and the block devices that a test adds.
    """

    def __init__(self, tmp_path):
        self.root = tmp_path / "machine"
        self.data = tmp_path / "da ta"
        self.data.mkdir(parents=True)
        self.model = self.data / "model.gguf"
        self.model.write_bytes(b"GGUF")
        self.mountinfo = "27 1 1:1 / / rw - ext4 /dev/other rw\n"

    def mount(self, number, filesystem, source, extra="rw", point=None, of="/"):
        mount_id = 28 + self.mountinfo.count("\n")
        escaped = source.replace("\\", "\\134")
        place = str(point or self.data).replace(" ", "\\040")
        self.mountinfo += (
            f"{mount_id} 27 {number} {of} {place} rw,noatime shared:3"
            f" - {filesystem} {escaped} {extra}\n"
        )
        self.write("proc/self/mountinfo", self.mountinfo)

    def found(self):
        return storage_stack_of(self.model, self.root)

    def mounted(self, *mount):
        """The lowest filesystem, after mounting what is given."""
        self.mount(*mount)
        return self.found().lowest

    def storage(self, *mount):
        """What the model lies on, after mounting what is given."""
        self.mount(*mount)
        return storage_of(self.model, self.root)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def link(self, path, target):
        link = self.root / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(self.root / target)

    def device(self, folder, number, below=(), **files):
        """A block device; `files` have their slashes written as two underscores."""
        self.write(f"{folder}/size", "2048\n")
        self.write(f"{folder}/queue/read_ahead_kb", "128\n")
        self.write(f"{folder}/queue/scheduler", "none [mq-deadline] kyber\n")
        self.write(f"{folder}/queue/rotational", "0\n")
        for name, text in files.items():
            self.write(f"{folder}/{name.replace('__', '/')}", text + "\n")
        for slave in below:
            self.link(f"{folder}/slaves/{slave.rpartition('/')[2]}", slave)
        self.link(f"sys/dev/block/{number}", folder)
        self.link(f"sys/class/block/{folder.rpartition('/')[2]}", folder)

    def pci_link(self, place, now, most):
        """What a PCI function says of its link: GT/s and lanes."""
        for name, (speed, lanes) in (("current", now), ("max", most)):
            self.write(f"sys/devices/pci0000:00/{place}/{name}_link_speed", f"{speed} GT/s PCIe\n")
            self.write(f"sys/devices/pci0000:00/{place}/{name}_link_width", f"{lanes}\n")

    def nvme(self):
        self.device(NVME, "259:0")
        controller = NVME.rpartition("/")[0]
        self.link(f"{NVME}/device", controller)
        self.write(f"{controller}/model", "ACME Fast 990          \n")
        self.write(f"{controller}/transport", "pcie\n")
        self.pci_link("0000:00:1d.0/0000:02:00.0", ("8.0", 2), ("16.0", 4))
        self.pci_link("0000:00:1d.0", ("8.0", 2), ("8.0", 4))
        self.write(f"{PARTITION}/partition", "2\n")
        self.write(f"{PARTITION}/size", "1024\n")
        self.link("sys/dev/block/259:2", PARTITION)
        self.link("sys/class/block/nvme0n1p2", PARTITION)

    def serve(self, pid, command, connection=None):
        """A process that holds /dev/fuse."""
        self.write(f"proc/{pid}/cmdline", "\0".join(command) + "\0")
        lines = f"fuse_connection:\t{connection}\n" if connection else ""
        self.write(f"proc/{pid}/fdinfo/3", f"pos:\t0\n{lines}")
        descriptors = self.root / f"proc/{pid}/fd"
        if not descriptors.exists():
            descriptors.mkdir()
            (descriptors / "3").symlink_to("/dev/fuse")


def kinds(mount):
    return [(layer.name, layer.kind) for device in mount.devices for layer in device.walk()]
