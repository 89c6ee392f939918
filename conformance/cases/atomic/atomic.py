import triton
import triton.language as tl


@triton.jit
def atomic(x, index, out, old, n, OP: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x + offsets, mask=mask)
    target = out + tl.load(index + offsets, mask=mask)
    if OP == "add":
        before = tl.atomic_add(target, value, mask=mask)
    elif OP == "add_relaxed":
        before = tl.atomic_add(target, value, mask=mask, sem="relaxed", scope="gpu")
    elif OP == "max":
        before = tl.atomic_max(target, value, mask=mask)
    elif OP == "min":
        before = tl.atomic_min(target, value, mask=mask)
    elif OP == "and":
        before = tl.atomic_and(target, value, mask=mask)
    elif OP == "or":
        before = tl.atomic_or(target, value, mask=mask)
    elif OP == "xor":
        before = tl.atomic_xor(target, value, mask=mask)
    tl.store(old + offsets, before, mask=mask)


@triton.jit
def exchange(x, out, old, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    before = tl.atomic_xchg(out + offsets, tl.load(x + offsets, mask=mask), mask=mask)
    tl.store(old + offsets, before, mask=mask)


@triton.jit
def compare_exchange(flags, old, WANTED: tl.constexpr, NEW: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(old + pid, tl.atomic_cas(flags + pid, WANTED, NEW))


# Every program adds its row into one accumulator that a lock protects.
@triton.jit
def locked_sum(x, out, lock, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x + tl.program_id(0) * n + offsets, mask=mask)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    total = tl.load(out + offsets, mask=mask) + value
    tl.store(out + offsets, total, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def ticket(counter, out):
    number = tl.atomic_add(counter, 1)
    tl.store(out + number, 1)
