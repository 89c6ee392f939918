# Softmax over the rows of a matrix, one program per row.
#
#   tegula run examples/softmax.py -k softmax --target reference --grid rows --arg out=empty:f32[1823,781] --arg x=rand:f32[1823,781],seed=0 --arg out_stride=781 --arg x_stride=781 --arg rows=1823 --arg columns=781 -D BLOCK=1024 --out out=softmax.npy
import triton
import triton.language as tl


@triton.jit
def softmax(out, x, out_stride, x_stride, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    inside = column < columns
    values = tl.load(x + row * x_stride + column, mask=inside, other=-float("inf")).to(tl.float32)
    powers = tl.exp(values - tl.max(values, axis=0))
    result = powers / tl.sum(powers, axis=0)
    tl.store(out + row * out_stride + column, result, mask=inside)
