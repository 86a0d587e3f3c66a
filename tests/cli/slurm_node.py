"""A real Slurm of one node, for a test: munged, slurmctld and slurmd in a folder of its own, on free ports of 127.0.0.1. Nothing of
it outlives `stop`, which ends what `start` has started by its id."""

import os
import shutil
import socket
import subprocess
import time

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo", "scontrol")

CONFIGURATION = """\
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
SlurmctldPort={controller}
SlurmdPort={node}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SchedulerParameters=sched_interval=2,sched_min_interval=0
MinJobAge=10
GresTypes=gpu
NodeName=localhost NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=1000 Gres=gpu:1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=gpus Nodes=ALL MaxTime=INFINITE State=UP
"""


def why_not():
    """What keeps Slurm from being started here, or nothing."""
    if os.geteuid() != 0:
        return "Slurm's daemons need root"
    missing = [program for program in NEEDED if not shutil.which(program, path=search_path())]
    return f"not installed: {', '.join(missing)} (slurm-wlm, munge)" if missing else None


def search_path():
    return "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def free_ports(count):
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class OneNode:
    def __init__(self, folder, more=""):
        """`more` is added to slurm.conf."""
        self.folder = folder
        self.more = more
        self.running = []
        self.environment = {"PATH": search_path(), "SLURM_CONF": str(folder / "slurm.conf"), "LC_ALL": "C.UTF-8"}

    def start(self):
        for part in ("state", "spool"):
            (self.folder / part).mkdir(parents=True)
        controller, node = free_ports(2)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=self.folder, controller=controller, node=node, cpus=os.cpu_count()) + self.more)
        (self.folder / "gres.conf").write_text("NodeName=localhost Name=gpu File=/dev/null\n")  # any device will do
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(1024))
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.sock",
                    f"--pid-file={self.folder}/munged.pid", f"--seed-file={self.folder}/munge.seed",
                    f"--log-file={self.folder}/munged.log")
        self.wait(lambda: (self.folder / "munge.sock").exists())
        self.controller = self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D", "-N", "localhost")
        self.wait(lambda: self.ask("sinfo", "-h", "-o", "%t").strip() in ("idle", "mix", "alloc"))
        return self

    def daemon(self, program, *arguments):
        with open(self.folder / f"{program}.out", "wb") as out:
            self.running.append(subprocess.Popen([program, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                                 stdout=out, stderr=out, cwd=self.folder))
        return self.running[-1]

    def ask(self, program, *arguments):
        return subprocess.run([program, *arguments], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=60, check=False).stdout

    def wait(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError("Slurm did not come up: " + "".join(
                    file.read_text(errors="replace")[-2000:] for file in sorted(self.folder.glob("*.out"))))
            time.sleep(0.2)

    def jobs(self):
        return self.ask("squeue", "-h", "-o", "%i %t").splitlines()

    def stop(self):
        self.ask("scancel", "--user=root") if self.running else None
        for daemon in reversed(self.running):
            daemon.terminate()
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.running = []
