package kernels

import "math/rand/v2"

// edges are numbers at which functions of bits change, n of them, followed by random ones of all lengths.
func edges(n int, seed uint64) []uint64 {
	r := rand.New(rand.NewPCG(seed, 7))
	out := []uint64{0, 1, 2, 3, 1<<64 - 1, 1<<64 - 2, 1 << 63, 1<<63 - 1, 1 << 32, 1<<32 - 1, 1<<32 + 1, 1 << 31, 1<<31 - 1, 0xff, 0x100, 0x7f, 0x80, 0xffff, 0x8000, 0xffffffff00000000, 0x8000000080000000}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	for len(out) < n {
		switch x := r.Uint64() >> r.IntN(64); r.IntN(3) {
		case 0:
			out = append(out, x)
		case 1:
			out = append(out, ^x)
		default:
			out = append(out, out[r.IntN(len(out))]+uint64(r.IntN(5))-2)
		}
	}
	return out
}

// bitKernels are the kernels of this file. Plain Go calls the same functions as the compiler has them.
var bitKernels = []Kernel{
	{
		Name: "BitCounts", Func: BitCounts, Grid: d1(4), Block: d1(64),
		Args: func() []any { return []any{edges(250, 1), make([]uint64, 250*bitCountRows)} },
		Want: func(args []any) {
			x, out := args[0].([]uint64), args[1].([]uint64)
			for i := range x {
				bitCounts(x[i], out[i:], len(x))
			}
		},
	},
	{
		Name: "WordArithmetic", Func: WordArithmetic, Grid: d1(16), Block: d1(64),
		Args: func() []any {
			return []any{edges(1000, 2), edges(1000, 3), edges(1000, 4), make([]uint64, 1000*wordRows)}
		},
		Want: func(args []any) {
			hi, lo, y, out := args[0].([]uint64), args[1].([]uint64), args[2].([]uint64), args[3].([]uint64)
			for i := range y {
				wordArithmetic(hi[i], lo[i], y[i], out[i:], len(y))
			}
		},
	},
}
