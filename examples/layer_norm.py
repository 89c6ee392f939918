# Layer normalisation over the rows of a matrix: forward, backward by rows, and the sums for the weights.
#
#   tegula run examples/layer_norm.py -k layer_norm_forward --target reference --grid rows --arg x=rand:f32[151,1009],seed=0 --arg y=empty:f32[151,1009] --arg weight=rand:f32[1009],seed=1 --arg bias=rand:f32[1009],seed=2 --arg mean=empty:f32[151] --arg rstd=empty:f32[151] --arg stride=1009 --arg rows=151 --arg columns=1009 --arg eps=1e-5:f32 -D BLOCK=256 --out y=y.npy --out mean=mean.npy --out rstd=rstd.npy
#   tegula run examples/layer_norm.py -k layer_norm_backward --target reference --grid 151 --arg dx=empty:f32[151,1009] --arg dy=rand:f32[151,1009],seed=3 --arg partial_dweight=zeros:f32[8,1009] --arg partial_dbias=zeros:f32[8,1009] --arg x=rand:f32[151,1009],seed=0 --arg weight=rand:f32[1009],seed=1 --arg mean=zeros:f32[151] --arg rstd=full:f32[151],value=1 --arg locks=zeros:i32[16] --arg stride=1009 --arg columns=1009 -D GROUP=8 -D BLOCK=1024 --out dx=dx.npy --out partial_dweight=partial_dweight.npy --out partial_dbias=partial_dbias.npy
#   tegula run examples/layer_norm.py -k layer_norm_backward_weight --target reference --grid 'cdiv(columns, BLOCK)' --arg partial_dweight=rand:f32[8,1009],seed=0 --arg partial_dbias=rand:f32[8,1009],seed=1 --arg dweight=empty:f32[1009] --arg dbias=empty:f32[1009] --arg rows=8 --arg columns=1009 -D ROWS=8 -D BLOCK=128 --out dweight=dweight.npy --out dbias=dbias.npy
import triton
import triton.language as tl


@triton.jit
def layer_norm_forward(x, y, weight, bias, mean, rstd, stride, rows, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * stride
    y += row * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        total += tl.load(x + column, mask=column < columns, other=0.0).to(tl.float32)
    average = tl.sum(total, axis=0) / columns
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        value = tl.load(x + column, mask=column < columns, other=0.0).to(tl.float32)
        centred = tl.where(column < columns, value - average, 0.0)
        squares += centred * centred
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + eps)
    tl.store(mean + row, average)
    tl.store(rstd + row, scale)
    for start in range(0, columns, BLOCK):
        column = start + tl.arange(0, BLOCK)
        inside = column < columns
        value = tl.load(x + column, mask=inside, other=0.0).to(tl.float32)
        w = tl.load(weight + column, mask=inside).to(tl.float32)
        b = tl.load(bias + column, mask=inside).to(tl.float32)
        tl.store(y + column, (value - average) * scale * w + b, mask=inside)


# One program per row gives dx; the row's share of dweight and dbias is added into GROUP partial rows under a lock, which
# layer_norm_backward_weight then sums.
@triton.jit
def layer_norm_backward(dx, dy, partial_dweight, partial_dbias, x, weight, mean, rstd, locks, stride, columns, GROUP: tl.constexpr,
                        BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    value = tl.load(x + row * stride + column, mask=inside, other=0.0).to(tl.float32)
    grad = tl.load(dy + row * stride + column, mask=inside, other=0.0).to(tl.float32)
    w = tl.load(weight + column, mask=inside, other=0.0).to(tl.float32)
    scale = tl.load(rstd + row)
    normalised = tl.where(inside, (value - tl.load(mean + row)) * scale, 0.0)
    weighted = w * grad
    c1 = tl.sum(normalised * weighted, axis=0) / columns
    c2 = tl.sum(weighted, axis=0) / columns
    tl.store(dx + row * stride + column, (weighted - (normalised * c1 + c2)) * scale, mask=inside)

    group = row % GROUP
    lock = locks + group
    count = locks + GROUP + group
    dweight = partial_dweight + group * columns + column
    dbias = partial_dbias + group * columns + column
    dw = grad * normalised
    db = grad
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        dw += tl.load(dweight, mask=inside)
        db += tl.load(dbias, mask=inside)
    tl.store(dweight, dw, mask=inside)
    tl.store(dbias, db, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def layer_norm_backward_weight(partial_dweight, partial_dbias, dweight, dbias, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    dw = tl.zeros([ROWS, BLOCK], dtype=tl.float32)
    db = tl.zeros([ROWS, BLOCK], dtype=tl.float32)
    for start in range(0, rows, ROWS):
        row = start + tl.arange(0, ROWS)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        offsets = row[:, None] * columns + column[None, :]
        dw += tl.load(partial_dweight + offsets, mask=inside, other=0.0)
        db += tl.load(partial_dbias + offsets, mask=inside, other=0.0)
    tl.store(dweight + column, tl.sum(dw, axis=0), mask=column < columns)
    tl.store(dbias + column, tl.sum(db, axis=0), mask=column < columns)
