# Matrix product C = A B with programs ordered in groups of rows, so that neighbours share what they read.
#
#   tegula run examples/matmul.py -k matmul --target reference --grid 'cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)' --arg a=rand:f16[131,97],seed=0 --arg b=rand:f16[97,211],seed=1 --arg c=empty:f16[131,211] --arg M=131 --arg N=211 --arg K=97 --arg stride_am=97 --arg stride_ak=1 --arg stride_bk=211 --arg stride_bn=1 --arg stride_cm=211 --arg stride_cn=1 -D BLOCK_M=32 -D BLOCK_N=64 -D BLOCK_K=32 -D GROUP_M=4 --out c=c.npy
import triton
import triton.language as tl


@triton.jit
def matmul(a, b, c, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
           BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    per_group = GROUP_M * tiles_n
    first_m = pid // per_group * GROUP_M
    group_m = min(tiles_m - first_m, GROUP_M)
    tile_m = first_m + pid % per_group % group_m
    tile_n = pid % per_group // group_m

    m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_tile = a + m[:, None] * stride_am + k[None, :] * stride_ak
    b_tile = b + k[:, None] * stride_bk + n[None, :] * stride_bn
    sums = tl.zeros([BLOCK_M, BLOCK_N], dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        left = K - start
        x = tl.load(a_tile, mask=(m[:, None] < M) & (k[None, :] < left), other=0.0)
        y = tl.load(b_tile, mask=(k[:, None] < left) & (n[None, :] < N), other=0.0)
        sums = tl.dot(x, y, sums)
        a_tile += BLOCK_K * stride_ak
        b_tile += BLOCK_K * stride_bk
    inside = (m[:, None] < M) & (n[None, :] < N)
    tl.store(c + m[:, None] * stride_cm + n[None, :] * stride_cn, sums.to(c.dtype.element_ty), mask=inside)
