# Causal attention, forward, with a running softmax: one program per block of queries and head.
#
#   tegula run examples/attention.py -k attention --target reference --grid 'cdiv(length, BLOCK_M), heads' --arg q=rand:f16[3,133,64],seed=0 --arg k=rand:f16[3,133,64],seed=1 --arg v=rand:f16[3,133,64],seed=2 --arg out=empty:f16[3,133,64] --arg scale=0.125:f32 --arg heads=3 --arg length=133 -D HEAD=64 -D BLOCK_M=32 -D BLOCK_N=32 -D CAUSAL=True --out out=out.npy
import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, out, scale, heads, length, HEAD: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, CAUSAL: tl.constexpr):
    first = tl.program_id(0) * BLOCK_M
    head = tl.program_id(1) * length * HEAD
    m = first + tl.arange(0, BLOCK_M)
    d = tl.arange(0, HEAD)
    queries = tl.load(q + head + m[:, None] * HEAD + d[None, :], mask=m[:, None] < length, other=0.0)
    greatest = tl.full([BLOCK_M], -float("inf"), dtype=tl.float32)
    weights = tl.zeros([BLOCK_M], dtype=tl.float32)
    sums = tl.zeros([BLOCK_M, HEAD], dtype=tl.float32)
    if CAUSAL:
        end = tl.minimum(first + BLOCK_M, length)
    else:
        end = length
    for start in range(0, end, BLOCK_N):
        n = start + tl.arange(0, BLOCK_N)
        keys = tl.load(k + head + n[None, :] * HEAD + d[:, None], mask=n[None, :] < length, other=0.0)
        scores = tl.dot(queries, keys) * (scale * 1.4426950408889634)
        visible = n[None, :] < length
        if CAUSAL:
            visible = visible & (m[:, None] >= n[None, :])
        scores = tl.where(visible, scores, -float("inf"))
        higher = tl.maximum(greatest, tl.max(scores, axis=1))
        powers = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(greatest - higher)
        values = tl.load(v + head + n[:, None] * HEAD + d[None, :], mask=n[:, None] < length, other=0.0)
        weights = weights * shrink + tl.sum(powers, axis=1)
        sums = tl.dot(powers.to(v.dtype.element_ty), values, sums * shrink[:, None])
        greatest = higher
    result = sums / weights[:, None]
    tl.store(out + head + m[:, None] * HEAD + d[None, :], result.to(out.dtype.element_ty), mask=m[:, None] < length)
