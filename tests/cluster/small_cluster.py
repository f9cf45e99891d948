"""Nodes of one machine, as Ray sees them."""

from modelmon.core.units import MIB


class SmallCluster:
    """A Ray cluster of so many nodes with a processor each; without Ray ModuleNotFoundError."""

    def __init__(self, nodes):
        from ray.cluster_utils import Cluster  # noqa: PLC0415  optional

        args = {"num_cpus": 1, "object_store_memory": 80 * MIB, "include_dashboard": False}
        self._cluster = Cluster(initialize_head=True, head_node_args=args)
        del args["include_dashboard"]
        self.others = [self._cluster.add_node(**args) for _ in range(nodes - 1)]
        self.address = self._cluster.address

    def kill_node(self):
        """One of the nodes is gone, with all that runs there."""
        self._cluster.remove_node(self.others.pop(), allow_graceful=False)

    def shutdown(self):
        """End all of them."""
        import ray  # noqa: PLC0415

        ray.shutdown()
        self._cluster.shutdown()
