# Kernels with one planted fault each, on the line marked FAULT, and twins without it. run_faults.py says what is expected.
import triton
import triton.language as tl


@triton.jit
def fetch(p, offsets):
    return tl.load(p + offsets)  # FAULT helper


@triton.jit
def read_past_end(x, out, n, BLOCK: tl.constexpr, MASK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = o < n
    if MASK:
        v = tl.load(x + o, mask=inside)
    else:
        v = tl.load(x + o)  # FAULT read
    tl.store(out + o, v, mask=inside)


@triton.jit
def write_past_end(x, out, n, BLOCK: tl.constexpr, MASK: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = o < n
    v = tl.load(x + o, mask=inside)
    if MASK:
        tl.store(out + o, v, mask=inside)
    else:
        tl.store(out + o, v)  # FAULT write


@triton.jit
def off_by_one(x, out, n, BLOCK: tl.constexpr, SLACK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o, mask=o < n + SLACK)  # FAULT off_by_one
    tl.store(out + o, v, mask=o < n)


@triton.jit
def before_begin(x, out, n, BLOCK: tl.constexpr, BACK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o - BACK, mask=o < n)  # FAULT before
    tl.store(out + o, v, mask=o < n)


@triton.jit
def wrong_stride(x, out, rows, columns, stride, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    inside = (m[:, None] < rows) & (n[None, :] < columns)
    v = tl.load(x + m[:, None] * stride + n[None, :], mask=inside)  # FAULT stride
    tl.store(out + m[:, None] * columns + n[None, :], v, mask=inside)


@triton.jit
def mask_one_axis(x, out, rows, columns, M: tl.constexpr, N: tl.constexpr, BOTH: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    whole = (m[:, None] < rows) & (n[None, :] < columns)
    if BOTH:
        v = tl.load(x + m[:, None] * columns + n[None, :], mask=whole)
    else:
        v = tl.load(x + m[:, None] * columns + n[None, :], mask=n[None, :] < columns)  # FAULT one_axis
    tl.store(out + m[:, None] * columns + n[None, :], v, mask=whole)


@triton.jit
def in_helper(x, out, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.store(out + o, fetch(x, o), mask=o < n)


@triton.jit
def in_loop(x, out, n, BLOCK: tl.constexpr, STEPS: tl.constexpr):
    o = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for i in range(STEPS):
        total += tl.load(x + i * BLOCK + o)  # FAULT loop
    tl.store(out + o, total)


@triton.jit
def block_pointer(x, out, n, BLOCK: tl.constexpr, CHECK: tl.constexpr):
    p = tl.make_block_ptr(x, shape=(n,), strides=(1,), offsets=(0,), block_shape=(BLOCK,), order=(0,))
    if CHECK:
        v = tl.load(p, boundary_check=(0,))
    else:
        v = tl.load(p)  # FAULT block_pointer
    o = tl.arange(0, BLOCK)
    tl.store(out + o, v, mask=o < n)


@triton.jit
def scalar_read(x, out, at):
    tl.store(out, tl.load(x + at))  # FAULT scalar


@triton.jit
def gather_index(x, index, out, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    i = tl.load(index + o, mask=o < n, other=0)
    tl.store(out + o, tl.load(x + i * 100, mask=o < n), mask=o < n)  # FAULT gather


@triton.jit
def atomic_past_end(x, n, BLOCK: tl.constexpr, MASK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    if MASK:
        tl.atomic_add(x + o, 1.0, mask=o < n)
    else:
        tl.atomic_add(x + o, 1.0)  # FAULT atomic


@triton.jit
def misaligned(x, out, SHIFT: tl.constexpr):
    o = tl.arange(0, 8)
    p = (x.to(tl.pointer_type(tl.int8)) + SHIFT).to(tl.pointer_type(tl.float32))
    tl.store(out + o, tl.load(p + o))  # FAULT misaligned


@triton.jit
def misaligned_store(out, SHIFT: tl.constexpr):
    p = (out.to(tl.pointer_type(tl.int8)) + SHIFT).to(tl.pointer_type(tl.int64))
    tl.store(p, 7)  # FAULT misaligned_store


@triton.jit
def uninitialised(x, out, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o, mask=o < n)
    tl.store(out + o, v * 2, mask=o < n)  # FAULT uninitialised


@triton.jit
def uninitialised_branch(x, out):
    flag = tl.load(x)
    if flag > 0:  # FAULT uninitialised_branch
        tl.store(out, 1)
    else:
        tl.store(out, 2)


@triton.jit
def uninitialised_address(x, table, out):
    i = tl.load(x)
    tl.store(out, tl.load(table + i))  # FAULT uninitialised_address


@triton.jit
def uninitialised_mask(x, out):
    o = tl.arange(0, 8)
    m = tl.load(x + o)
    tl.store(out + o, o, mask=m > 0)  # FAULT uninitialised_mask


@triton.jit
def uninitialised_sum(x, out, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o)
    tl.store(out, tl.sum(v))  # FAULT uninitialised_sum


@triton.jit
def unused_uninitialised(x, out):
    o = tl.arange(0, 8)
    v = tl.load(x + o)
    tl.store(out + o, tl.where(o < 0, v, 1.0))


@triton.jit
def write_then_read(scratch, out):
    o = tl.arange(0, 8)
    tl.store(scratch + o, o)
    tl.store(out + o, tl.load(scratch + o))


@triton.jit
def race_write(out, n, BLOCK: tl.constexpr, SAME: tl.constexpr):
    pid = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    if SAME:
        tl.store(out + o, o)
    else:
        tl.store(out + o, o + pid)  # FAULT race_write


@triton.jit
def race_overlap(x, out, BLOCK: tl.constexpr, STEP: tl.constexpr):
    o = tl.program_id(0) * STEP + tl.arange(0, BLOCK)
    tl.store(out + o, tl.load(x + o) + tl.program_id(0))  # FAULT race_overlap


@triton.jit
def race_read(x, out, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    if pid == 0:
        tl.store(x + o, o)
    else:
        v = tl.load(x + o)  # FAULT race_read
        tl.store(out + pid * BLOCK + o, v)


@triton.jit
def race_sum(x, total, BLOCK: tl.constexpr, ATOMIC: tl.constexpr):
    pid = tl.program_id(0)
    s = tl.sum(tl.load(x + pid * BLOCK + tl.arange(0, BLOCK)))
    if ATOMIC:
        tl.atomic_add(total, s)
    else:
        before = tl.load(total)  # FAULT race_sum
        tl.store(total, before + s)


@triton.jit
def race_relaxed(data, flag, out, ORDER: tl.constexpr):
    if tl.program_id(0) == 0:
        tl.store(data, 42)
        tl.atomic_xchg(flag, 1, sem=ORDER)
    else:
        while tl.atomic_add(flag, 0, sem=ORDER) == 0:
            pass
        tl.store(out, tl.load(data))  # FAULT race_relaxed


@triton.jit
def race_atomic_plain(counter, out):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(counter, 5)
    else:
        tl.atomic_add(counter, 1)  # FAULT race_atomic_plain
    tl.store(out + pid, pid)


@triton.jit
def locked(x, total, lock, BLOCK: tl.constexpr, LOCK: tl.constexpr):
    s = tl.sum(tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)))
    if LOCK:
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
    before = tl.load(total)  # FAULT locked
    tl.store(total, before + s)
    if LOCK:
        tl.debug_barrier()
        tl.atomic_xchg(lock, 0)


@triton.jit
def ticket(counter, out):
    tl.store(out + tl.atomic_add(counter, 1), 1)


@triton.jit
def last_block(x, partial, counter, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(partial + pid, tl.sum(tl.load(x + pid * BLOCK + tl.arange(0, BLOCK))))
    tl.debug_barrier()
    if tl.atomic_add(counter, 1) == n - 1:
        tl.store(out, tl.sum(tl.load(partial + tl.arange(0, 4))))


@triton.jit
def overflow_mul(x, out, rows, WIDE: tl.constexpr):
    row = rows
    if WIDE:
        offset = row.to(tl.int64) * 65536
    else:
        offset = row * 65536
    tl.store(out, tl.load(x + offset))  # FAULT overflow_mul


@triton.jit
def overflow_add(x, out, start):
    offset = start + 2147483647
    tl.store(out, tl.load(x + offset))  # FAULT overflow_add


@triton.jit
def overflow_shift(x, out, n):
    offset = (n + 1) << 30
    tl.store(out, tl.load(x + offset))  # FAULT overflow_shift


@triton.jit
def overflow_block(x, out, stride, BLOCK: tl.constexpr):
    o = (tl.arange(0, BLOCK) + 100000) * stride
    tl.store(out + tl.arange(0, BLOCK), tl.load(x + o))  # FAULT overflow_block


@triton.jit
def hash_wraps(x, out, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    h = (o + 12345) * 1103515245 + 12345
    tl.store(out + o, h ^ (h >> 16))


@triton.jit
def hash_address(x, out, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    h = (o + 12345) * 1103515245 + 12345
    tl.store(out + o, tl.load(x + (h & 15)))


@triton.jit
def not_written(x, out, n, BLOCK: tl.constexpr, SHORT: tl.constexpr):  # FAULT-FILE
    o = tl.arange(0, BLOCK)
    tl.store(out + o, tl.load(x + o, mask=o < n), mask=o < n - SHORT)


@triton.jit
def not_written_program(out, n, BLOCK: tl.constexpr, SKIP: tl.constexpr):
    pid = tl.program_id(0)
    if pid != SKIP:
        tl.store(out + pid * BLOCK + tl.arange(0, BLOCK), pid)


@triton.jit
def nan_made(x, out, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o)
    tl.store(out + o, tl.sqrt(v - 1.0))  # FAULT nan_made


@triton.jit
def infinity_made(x, out, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o)
    tl.store(out + o, 1.0 / v)  # FAULT infinity_made


@triton.jit
def log_of_zero(x, out, BLOCK: tl.constexpr, SAFE: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o)
    if SAFE:
        v += 1.0
    tl.store(out + o, tl.log(v))  # FAULT log_of_zero


@triton.jit
def exp_overflow(x, out, BLOCK: tl.constexpr, SCALE: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o) + SCALE
    tl.store(out + o, tl.exp(v))  # FAULT exp_overflow


@triton.jit
def narrow_overflow(x, out, BLOCK: tl.constexpr, SCALE: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o) + SCALE
    tl.store(out + o, v.to(tl.float16))  # FAULT narrow_overflow


@triton.jit
def masked_infinity(x, out, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o, mask=o < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + o, e / tl.sum(e, axis=0), mask=o < n)


@triton.jit
def masked_garbage(x, out, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o, mask=o < n)
    tl.store(out + o, 1.0 / v, mask=o < n)


@triton.jit
def asserts(x, out, BLOCK: tl.constexpr, LIMIT: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o)
    tl.device_assert(v < LIMIT, "too large")  # FAULT asserts
    tl.store(out + o, v)


@triton.jit
def assumes(out, n):
    tl.assume(n > 3)  # FAULT assumes
    tl.store(out, n)


@triton.jit
def deadlock(flag, out):
    while tl.atomic_add(flag, 0) == 0:  # FAULT deadlock
        pass
    tl.store(out, 1)


@triton.jit
def wild(out):
    p = tl.full((), 4096, tl.int64).to(tl.pointer_type(tl.float32))
    tl.store(out, tl.load(p))  # FAULT wild


@triton.jit
def partly_written(scratch, out, WRITTEN: tl.constexpr):
    o = tl.arange(0, 8)
    tl.store(scratch + o, o, mask=o < WRITTEN)
    v = tl.load(scratch + o)
    tl.store(out + o, v)  # FAULT partly_written


@triton.jit
def uninitialised_atomic(counter, out):
    tl.store(out, tl.atomic_add(counter, 1))  # FAULT uninitialised_atomic


@triton.jit
def uninitialised_loop(x, out):
    n = tl.load(x)
    s = 0
    for i in range(n):  # FAULT uninitialised_loop
        s += i
    tl.store(out, s)


@triton.jit
def block_pointer_2d(x, out, rows, columns, CHECK: tl.constexpr):
    p = tl.make_block_ptr(x, (rows, columns), (columns, 1), (0, 0), (8, 8), (1, 0))
    q = tl.make_block_ptr(out, (rows, columns), (columns, 1), (0, 0), (8, 8), (1, 0))
    if CHECK:
        v = tl.load(p, boundary_check=(0, 1))
    else:
        v = tl.load(p, boundary_check=(1,))  # FAULT block_pointer_2d
    tl.store(q, v, boundary_check=(0, 1))


@triton.jit
def block_pointer_store(out, n, CHECK: tl.constexpr):
    q = tl.make_block_ptr(out, (n,), (1,), (0,), (16,), (0,))
    if CHECK:
        tl.store(q, tl.zeros((16,), tl.float32), boundary_check=(0,))
    else:
        tl.store(q, tl.zeros((16,), tl.float32))  # FAULT block_pointer_store


@triton.jit
def race_grid(out, M: tl.constexpr, N: tl.constexpr, AXES: tl.constexpr):
    i = tl.program_id(0)
    j = tl.program_id(1)
    at = i * N + j if AXES == 2 else i
    tl.store(out + at, i * 10 + j)  # FAULT race_grid


@triton.jit
def race_halo(x, BLOCK: tl.constexpr, HALO: tl.constexpr):
    o = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + o + HALO)
    tl.store(x + o, v + 1)  # FAULT race_halo


@triton.jit
def inner(x, o):
    return tl.load(x + o)  # FAULT inner


@triton.jit
def outer(x, o):
    return inner(x, o + 1) * 2


@triton.jit
def chain(x, out, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.store(out + o, outer(x, o))


@triton.jit
def overflow_stride(x, out, row, stride):
    tl.store(out, tl.load(x + row * stride + 3))  # FAULT overflow_stride


@triton.jit
def philox(out, seed, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.store(out + o, tl.rand(seed, o) + tl.randn(seed, o))


@triton.jit
def masked_rows(x, out, rows, columns, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None]
    j = tl.arange(0, N)[None, :]
    keep = (i < rows) & (j < columns)
    v = tl.load(x + i * columns + j, mask=keep, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=1)[:, None])
    tl.store(out + i * columns + j, e / tl.sum(e, axis=1)[:, None], mask=keep)
