package corpus

import (
	"math"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/internal/inputs"
)

// programs are the corpus. Blocks are of 768 threads where the paper's machine runs one block a core, and else as the
// programs have them for which they stand.
func programs() []gpu.Program {
	return []gpu.Program{
		{Name: "ProfileHMM", Stands: "HMMer (SPEC CPU2006): branches by data, many places at a time", Irregular: true,
			Kernel: gpu.Kernel(ProfileHMM), Grid: gpu.Grid(16), Block: gpu.Block(768),
			Args: func() []any {
				begin := make([]int32, 16*768+1)
				for i, n := range lengths(16*768, 1) {
					begin[i+1] = begin[i] + n
				}
				return []any{ints(int(begin[16*768]), 4, 2), begin, ints(4*hmmStates, 9, 3), make([]int32, 3*hmmStates*16*768), make([]int32, 16*768)}
			}},
		{Name: "LatticeBoltzmann", Stands: "LBM (SPEC CPU2006): streams memory, branches at walls only", Irregular: false,
			Kernel: gpu.Kernel(LatticeBoltzmann), Grid: gpu.Grid(48), Block: gpu.Block(256),
			Args: func() []any {
				const n = 128 * 96
				in := floats(9*n, 1)
				for i := range in {
					in[i] = 0.1 + 0.01*in[i]
				}
				return []any{in, make([]float32, 9*n), ints(n, 10, 2), lattice, int32(128), int32(96)}
			}},
		{Name: "BlackScholes", Stands: "Black-Scholes (CUDA SDK) with exp and log as subroutines that branch", Irregular: true,
			Kernel: gpu.Kernel(BlackScholes), Grid: gpu.Grid(16), Block: gpu.Block(768),
			Args: func() []any {
				const n = 16 * 768
				price, strike, years := floats(n, 1), floats(n, 2), floats(n, 3)
				for i := range n {
					price[i], strike[i], years[i] = 17.5+12.5*price[i], 50+49*strike[i], 5.1+4.9*years[i]
				}
				return []any{price, strike, years, make([]float32, n)}
			}},
		{Name: "Bitonic", Stands: "bitonic sort (CUDA SDK): odd lanes against even, a barrier each step", Irregular: true,
			Kernel: gpu.Kernel(Bitonic), Grid: gpu.Grid(16), Block: gpu.Block(512),
			Args: func() []any { return []any{floats(16*512, 1)} }},
		{Name: "FFT", Stands: "FFT (SPLASH2): hardly a branch", Irregular: false,
			Kernel: gpu.Kernel(FFT), Grid: gpu.Grid(32), Block: gpu.Block(256),
			Args: func() []any { return []any{floats(32*512, 1), floats(32*512, 2), twiddles(0), twiddles(1)} }},
		{Name: "LU", Stands: "LU (SPLASH2): guards that leave a triangle", Irregular: true,
			Kernel: gpu.Kernel(LU), Grid: gpu.Grid(16), Block: gpu.Block(luSide, luSide, luMatrices),
			Args: func() []any {
				a := floats(16*luMatrices*luSide*luSide, 1)
				for i := range 16 * luMatrices * luSide { // no pivots are needed
					a[i*luSide+i%luSide] += luSide
				}
				return []any{a}
			}},
		{Name: "BFS", Stands: "BFS (Rodinia): if without else, loops of different lengths", Irregular: true,
			Kernel: gpu.Kernel(BFS), Grid: gpu.Grid(48), Block: gpu.Block(256),
			Args: func() []any {
				const n = 48 * 256
				ptr := make([]int32, n+1)
				for i, d := range ints(n, 12, 1) {
					ptr[i+1] = ptr[i] + d
				}
				level := ints(n, 3, 3) // 0: seen, 1: the frontier, 2: not seen
				return []any{ptr, ints(int(ptr[n]), n, 2), level, make([]int32, n)}
			}},
		{Name: "NeedlemanWunsch", Stands: "Needleman-Wunsch (Rodinia): a wavefront of half-empty warps", Irregular: true,
			Kernel: gpu.Kernel(NeedlemanWunsch), Grid: gpu.Grid(48), Block: gpu.Block(nwSide),
			Args: func() []any { return []any{ints(48*nwSide, 4, 1), ints(48*nwSide, 4, 2), make([]int32, 48)} }},
		{Name: "Histogram", Stands: "histogram (CUDA SDK): small blocks with shared memory", Irregular: true,
			Kernel: gpu.Kernel(Histogram), Grid: gpu.Grid(192), Block: gpu.Block(64),
			Args: func() []any { return []any{ints(192*64*8, 256, 1), make([]int32, 256)} }},
		{Name: "Mandelbrot", Stands: "Mandelbrot (CUDA SDK): loops of different lengths", Irregular: true,
			Kernel: gpu.Kernel(Mandelbrot), Grid: gpu.Grid(8, 6), Block: gpu.Block(16, 16),
			Args: func() []any { return []any{make([]int32, 128*96), 128, 96, int32(32)} }},
		{Name: "MandelbrotBarrier", Stands: "the same with a barrier in the loop", Irregular: true,
			Kernel: gpu.Kernel(MandelbrotBarrier), Grid: gpu.Grid(8, 6), Block: gpu.Block(16, 16),
			Args: func() []any { return []any{make([]int32, 128*96), 128, 96, int32(24)} }},
		{Name: "ShortCircuit", Stands: "TMD (SBI/SWI paper): conditions of several parts, break", Irregular: true,
			Kernel: gpu.Kernel(ShortCircuit), Grid: gpu.Grid(48), Block: gpu.Block(256),
			Args: func() []any { return []any{ints(4096, 64, 1), ints(4096, 64, 2), make([]int32, 48*256)} }},
		{Name: "Stencil", Stands: "3dfd (CUDA SDK): a dense stencil in three dimensions", Irregular: false,
			Kernel: gpu.Kernel(Stencil), Grid: gpu.Grid(8, 6), Block: gpu.Block(16, 16),
			Args: func() []any {
				const n = (128 + 4) * (96 + 4) * (6 + 4)
				return []any{floats(n, 1), make([]float32, n), 128, 96, 6}
			}},
		{Name: "Reduction", Stands: "reduction (CUDA SDK): waits for memory", Irregular: false,
			Kernel: gpu.Kernel(Reduction), Grid: gpu.Grid(240), Block: gpu.Block(256),
			Args: func() []any { return []any{ints(240*256*4, 1000, 1), make([]int32, 240)} }},
		{Name: "Gather", Stands: "chains of dependent loads: latency and nothing else", Irregular: false,
			Kernel: gpu.Kernel(Gather), Grid: gpu.Grid(480), Block: gpu.Block(64),
			Args: func() []any { return []any{ints(1<<16, 1<<16, 1), make([]int32, 480*64)} }},
		{Name: "SortingNetwork", Stands: "sorting networks (CUDA SDK): bound by computing", Irregular: false,
			Kernel: gpu.Kernel(SortingNetwork), Grid: gpu.Grid(15), Block: gpu.Block(256),
			Args: func() []any { return []any{ints(15*512, 1<<20, 1)} }},
		{Name: "Product", Stands: "matrix product (CUDA SDK), tiles of 64 by 64, 40 registers: type C", Irregular: false,
			Kernel: gpu.Kernel(Product), Grid: gpu.Grid(4, 4), Block: gpu.Block(16, 16),
			Args: func() []any { return []any{floats(256*256, 1), floats(256*256, 2), make([]float32, 256*256), 256} }},
		{Name: "VectorAdd", Stands: "vector addition (CUDA SDK): DRAM and nothing else", Irregular: false,
			Kernel: gpu.Kernel(VectorAdd), Grid: gpu.Grid(240), Block: gpu.Block(256),
			Args: func() []any { return []any{floats(240*256, 1), floats(240*256, 2), make([]float32, 240*256)} }},
	}
}

func init() { gpu.Wiring{}.SetCorpus(programs) }

// What kernels are tried with.
var floats, ints, next = inputs.Floats, inputs.Ints, inputs.Next

// lengths are n lengths of sequences, 3 letters in the mean, spread as those of Swiss-Prot, the database that HMMer
// searches in SPEC CPU2006: its mean of some 360 letters and its median of some 295 are those of a logarithmic normal
// distribution with a deviation of 0.64.
func lengths(n int, seed uint32) []int32 {
	out := make([]int32, n)
	for i := range out {
		z := -6.0
		for range 12 { // twelve of a uniform distribution make a normal one, nearly
			z += float64(next(&seed)>>8) / (1 << 24)
		}
		out[i] = max(1, int32(math.Round(3*295/360.*math.Exp(0.64*z))))
	}
	return out
}
