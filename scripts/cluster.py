#!/usr/bin/env python3
"""A cluster of this machine alone, for a command.

usage: cluster.py slurm|hq COMMAND [ARGUMENT ...]

Brings up a cluster, runs the command, whose exit code is the end, and takes the cluster down. Its files are in a temporary folder. Slurm
needs root and Debian's packages slurm-wlm and munge; HyperQueue needs the Python package hyperqueue. Exit code 3: one of these is missing.
"""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time

CONFIGURATION = """ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
# Until a daemon is there.
PATIENCE_SECONDS = 30


def missing(what):
    print(f"cluster: {what}", file=sys.stderr)
    sys.exit(3)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def process(arguments, **more):
    child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    try:
        yield child
    finally:
        child.terminate()
        child.wait()


def munge(folder):
    """Arguments of the daemon that vouches for users; it runs as the user munge."""
    place = os.path.join(folder, "munge")
    os.mkdir(place, 0o755)
    with open(os.path.join(place, "key"), "wb", opener=lambda path, flags: os.open(path, flags, 0o400)) as key:
        key.write(os.urandom(1024))
    user = pwd.getpwnam("munge")
    for path in (place, os.path.join(place, "key")):
        os.chown(path, user.pw_uid, user.pw_gid)
    files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
    own = [f"--{option}={os.path.join(place, name)}" for option, name in files.items()]
    return ["setpriv", "--reuid", "munge", "--regid", "munge", "--clear-groups", "munged", "--foreground", *own]


def wait_for(what, is_there):
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_there():
        if time.monotonic() > end:
            sys.exit(f"cluster: {what} does not come up")
        time.sleep(0.1)


def has_node(environment):
    found = subprocess.run(["sinfo", "--noheader", "--format=%t"], env=environment, capture_output=True, text=True)
    return found.stdout.strip() in ("idle", "mix", "alloc")


@contextlib.contextmanager
def slurm(folder):
    """The environment in which Slurm's commands reach the cluster."""
    for tool in ("slurmctld", "slurmd", "sbatch", "munged"):
        if shutil.which(tool) is None:
            missing(f"{tool}: not found; install slurm-wlm and munge")
    if os.geteuid() != 0:
        missing("Slurm's daemons run as root")
    os.chmod(folder, 0o755)
    host = socket.gethostname().split(".")[0]
    path = os.path.join(folder, "slurm.conf")
    for name in ("state", "spool"):
        os.mkdir(os.path.join(folder, name))
    with open(path, "w") as file:
        file.write(CONFIGURATION.format(host=host, folder=folder, cores=os.cpu_count(), controller_port=free_port(), node_port=free_port()))
    environment = dict(os.environ, SLURM_CONF=path)
    with process(munge(folder)):
        wait_for("munge", lambda: os.path.exists(os.path.join(folder, "munge", "socket")))
        with process(["slurmctld", "-D"], env=environment), process(["slurmd", "-D"], env=environment):
            wait_for("the node of Slurm", lambda: has_node(environment))
            yield environment
            subprocess.run(["scancel", "--full", "--user=root"], env=environment, capture_output=True)


@contextlib.contextmanager
def hq(folder):
    try:
        from hyperqueue.cluster import LocalCluster, WorkerConfig
    except ImportError as error:
        missing(f"{error}; pip install hyperqueue")
    # Where the server says what it is called would be the command's own output.
    shown = os.dup(1)
    os.dup2(2, 1)
    with LocalCluster(folder, WorkerConfig(cores=os.cpu_count())):
        os.dup2(shown, 1)
        yield dict(os.environ, HQ_SERVER_DIR=folder)


def main(arguments):
    clusters = {"slurm": slurm, "hq": hq}
    if len(arguments) < 2 or arguments[0] not in clusters:
        sys.exit(print(__doc__, file=sys.stderr) or 2)
    with tempfile.TemporaryDirectory(prefix="unruly-cluster-") as folder, clusters[arguments[0]](folder) as environment:
        return subprocess.run(arguments[1:], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
