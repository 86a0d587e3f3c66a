"""PyTorch's embedding, forward and backward, measured as bench/gpu/embedding.cu measures ours. Reads its document on standard
input for the shapes, the ids' laws and the protocol, and prints {"version", "rows"}. Ends with 4 where there is no PyTorch with CUDA."""

import json
import statistics
import sys

try:
    import torch
except ImportError:
    sys.exit(4)

WARM_UP = 3
SAMPLED = 64


def make_ids(law, B, T, V):
    if law == "equal":
        return torch.full((B, T), V // 2, dtype=torch.int32, device="cuda")
    weights = torch.ones(V, dtype=torch.float64, device="cuda")
    if law == "zipf":
        weights /= torch.arange(1, V + 1, device="cuda")
    return torch.multinomial(weights, B * T, replacement=True).to(torch.int32).view(B, T)


def summary(times):
    low, median, high = statistics.quantiles(times, n=4, method="inclusive")
    return {"median": median, "low": low, "high": high}


def take_turns(call, compulsory, launches, flushed):
    """Microseconds of a copy that moves as many bytes and of the call, each after a flush, and the last result."""
    cache = torch.empty(flushed, dtype=torch.uint8, device="cuda")
    source = torch.rand(compulsory // 8, device="cuda")  # half is read, half is written
    target = torch.empty_like(source)
    copies, calls = [], []
    for turn in range(WARM_UP + launches):
        events = [torch.cuda.Event(enable_timing=True) for _ in range(4)]
        cache.fill_(turn)
        events[0].record()
        target.copy_(source)
        events[1].record()
        cache.fill_(turn)
        events[2].record()
        result = call()
        events[3].record()
        torch.cuda.synchronize()
        if turn >= WARM_UP:
            copies.append(events[0].elapsed_time(events[1]) * 1000)
            calls.append(events[2].elapsed_time(events[3]) * 1000)
    return summary(calls), summary(copies), result


def check_forward(out, table, ids):
    flat, rows = ids.view(-1).long().cpu(), out.view(-1, out.shape[-1])
    for place in torch.linspace(0, len(flat) - 1, SAMPLED).long().tolist():
        if not torch.equal(rows[place].cpu(), table[flat[place]].cpu()):
            sys.exit(f"PyTorch's row {place} is not that of its token")


def check_backward(gradient, dout, ids):
    """Sums of n floats in any order lie within n * 2^-24 of the sum of absolute values."""
    flat, terms = ids.view(-1), dout.view(-1, dout.shape[-1])
    for token in flat[:: max(1, len(flat) // SAMPLED)].unique().tolist():
        mine = terms[flat == token].double()
        bound = len(mine) * 2.0**-24 * mine.abs().sum(0)
        if not torch.all((gradient[token].double() - mine.sum(0)).abs() <= bound):
            sys.exit(f"PyTorch's gradient of token {token} is not the sum of its terms")


def measure(work, launches, flushed):
    B, T, C, V, law = (work[key] for key in ("B", "T", "C", "V", "ids"))
    N, ids = B * T, make_ids(law, B, T, V)
    U = ids.unique().numel()

    def row(kernel, compulsory, call, check):
        took, copy, result = take_turns(call, compulsory, launches, flushed)
        check(result)
        return {"kernel": kernel, "shape": work["shape"], "B": B, "T": T, "C": C, "V": V, "ids": law, "distinct": U,
                "bytes": compulsory, "launches": launches, "us": took, "copy_us": copy,
                "share_of_copy": copy["median"] / took["median"], "verified": f"up to {SAMPLED} rows"}

    if law != "equal":
        for name, kind, size in (("f32", torch.float32, 4), ("bf16", torch.bfloat16, 2)):
            table = torch.randn(V, C, device="cuda", dtype=kind)
            yield row(f"torch forward {name}", (U + N) * C * size + 4 * N,
                      lambda t=table: torch.nn.functional.embedding(ids, t), lambda out, t=table: check_forward(out, t, ids))
    dout = torch.randn(B, T, C, device="cuda")
    # Of the tokens alone, and into a gradient of its own, which is cleared first: V rows are written, none is read.
    yield row("torch backward", (N + V) * C * 4 + 8 * N,
              lambda: torch.ops.aten.embedding_dense_backward(dout, ids, V, -1, False),
              lambda gradient: check_backward(gradient, dout, ids))


def main():
    if not torch.cuda.is_available():
        sys.exit(4)
    torch.manual_seed(1)
    document = json.load(sys.stdin)
    works = {(row["shape"], row["ids"]): row for row in document["rows"]}.values()
    rows = [row for work in works for row in measure(work, work["launches"], document["flushed_bytes"])]
    fastest = max(row["bytes"] / row["copy_us"]["median"] for row in rows)
    for row in rows:
        row["lower_bound_us"] = row["bytes"] / max(fastest, document["copy_bytes_per_us"])
        row["times_lower_bound"] = row["us"]["median"] / row["lower_bound_us"]
    json.dump({"version": torch.__version__, "rows": rows}, sys.stdout)


if __name__ == "__main__":
    main()
