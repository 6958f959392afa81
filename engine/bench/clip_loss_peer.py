#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""open_clip's ClipLoss, measured as `disco-engine bench loss` measures ours, so that both can be put side by side.

Prints one JSON line a batch: seconds (median of forward and backward), cpu_seconds (of all threads, mean; steadier than
seconds on a machine that does other things too) and peak_bytes (resident, above the inputs, first run).
"""

import argparse
import json
import statistics
import time

import torch
from open_clip.loss import ClipLoss


def status_bytes(name):
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {name} in /proc/self/status")


def unit_rows(rows, width):
    features = torch.randn(rows, width)
    return (features / features.norm(dim=1, keepdim=True)).requires_grad_(True)


def run_once(image, text, log_scale):
    begin, cpu_begin = time.perf_counter(), time.process_time()
    ClipLoss()(image, text, log_scale.exp()).backward()
    times = time.perf_counter() - begin, time.process_time() - cpu_begin
    image.grad = text.grad = log_scale.grad = None
    return times


def measure(batch, dim, repeats):
    log_scale = torch.tensor(14.3).log().requires_grad_(True)
    run_once(unit_rows(min(batch, 256), dim), unit_rows(min(batch, 256), dim), log_scale)
    image, text = unit_rows(batch, dim), unit_rows(batch, dim)
    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    before = status_bytes("VmRSS")
    run_once(image, text, log_scale)
    peak = status_bytes("VmHWM") - before
    runs = [run_once(image, text, log_scale) for _ in range(repeats)]
    return {
        "variant": "open_clip ClipLoss",
        "batch": batch,
        "dim": dim,
        "threads": torch.get_num_threads(),
        "seconds": statistics.median(wall for wall, _ in runs),
        "cpu_seconds": statistics.mean(cpu for _, cpu in runs),
        "peak_bytes": peak,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, nargs="+", default=[4096, 16384])
    parser.add_argument("--dim", type=int, default=512)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    for batch in arguments.batch:
        print(json.dumps(measure(batch, arguments.dim, arguments.repeats)), flush=True)


if __name__ == "__main__":
    main()
