"""A run that was killed outright continues with plain `make run`."""

import contextlib
import os
import shutil
import signal
import subprocess
import time

import psutil
import pytest

from scripts._locks import jobs_left_over, note_host, release_stale_lock

pytestmark = pytest.mark.workflow


def test_a_killed_run_continues_to_the_same_bytes_with_any_cores_and_hash_seed(finished, checkout):
    # The finished run had two cores and the hash seed 0.
    other = {**os.environ, "PYTHONHASHSEED": "12345"}
    with start(checkout, "CORES=1", env=other) as running:
        wait_for(lambda: list(checkout.folder.glob("results/smoke/simulated/*/scores.parquet")))
        snakemake = snakemake_below(running.pid)
        wait_for(snakemake.children)
        kill(snakemake.children()[0])
        # A job that goes on without its Snakemake must not disturb the next run either.
        kill(snakemake)
    assert list((checkout.folder / ".snakemake/locks").glob("*.lock"))
    done = subprocess.run(
        checkout.make("CORES=1"),
        cwd=checkout.folder,
        env=other,
        capture_output=True,
        text=True,
        timeout=1200,
    )
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    assert "The last run was killed; its lock is removed" in text
    assert checkout.results() == finished.results()


def test_the_lock_of_a_live_run_is_left_alone(checkout):
    with start(checkout, "TARGET=parsing") as running:
        locks = checkout.folder / ".snakemake/locks"
        wait_for(lambda: list(locks.glob("*.host")))
        assert release_stale_lock(checkout.folder) is None
        assert jobs_left_over(checkout.folder) == []
        assert list(locks.glob("*.lock"))
        snakemake_below(running.pid).send_signal(signal.SIGINT)
    assert not locks.exists()


def test_the_lock_of_another_machine_is_left_alone(tmp_path):
    locks = lock(tmp_path)
    (locks / "elsewhere.example.host").touch()
    assert release_stale_lock(tmp_path) is None
    assert locks.exists()


def test_a_lock_that_nobody_holds_is_removed(tmp_path):
    assert release_stale_lock(tmp_path) is None
    locks = lock(tmp_path)
    note_host(tmp_path)
    assert "was killed" in release_stale_lock(tmp_path)
    assert not locks.exists()


def test_a_job_without_its_snakemake_is_found(tmp_path):
    script = tmp_path / ".snakemake/scripts/tmp1.job.py"
    script.parent.mkdir(parents=True)
    script.write_text("import time; time.sleep(60)")
    program = shutil.which("python3")
    with subprocess.Popen([program, str(script)], cwd=tmp_path) as job:
        try:
            wait_for(lambda: [found.pid for found in jobs_left_over(tmp_path)] == [job.pid])
        finally:
            job.kill()
    assert jobs_left_over(tmp_path) == []


def lock(folder):
    locks = folder / ".snakemake/locks"
    locks.mkdir(parents=True)
    (locks / "0.input.lock").write_text("results/smoke/report.html\n")
    return locks


def start(checkout, *settings, env=None):
    return subprocess.Popen(
        checkout.make(*settings),
        cwd=checkout.folder,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def kill(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):  # a job may have ended in this moment
        process.kill()


def snakemake_below(make: int) -> psutil.Process:
    children = psutil.Process(make).children(recursive=True)
    return next(child for child in children if any("snakemake" in w for w in child.cmdline()))


def wait_for(condition, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not get that far"
        time.sleep(0.05)
