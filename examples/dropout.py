# Dropout whose mask comes from a seed and is never stored.
#
#   tegula run examples/dropout.py -k dropout --target reference --grid 'cdiv(n, BLOCK)' --arg x=rand:f32[10007],seed=0 --arg out=empty:f32[10007] --arg n=10007 --arg p=0.5:f32 --arg seed=123 -D BLOCK=1024 --out out=out.npy
import triton
import triton.language as tl


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    value = tl.load(x + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(out + offsets, tl.where(keep, value / (1 - p), 0.0), mask=mask)
