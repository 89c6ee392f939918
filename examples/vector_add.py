# Vector addition.
#
#   tegula run examples/vector_add.py -k add --target reference --grid 'cdiv(n, BLOCK)' --arg x=rand:f32[98432],seed=1 --arg y=rand:f32[98432],seed=2 --arg out=empty:f32[98432] --arg n=98432 -D BLOCK=1024 --out out=sum.npy
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    total = tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask)
    tl.store(out + offsets, total, mask=mask)
