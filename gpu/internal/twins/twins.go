// Package twins has kernels in Go, each with the same in CUDA C, as people write them in either language: Go with int,
// C with int.
package twins

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/gpu"
)

// Twin is a kernel in both languages, by the same name, and a launch of it.
type Twin struct {
	Name        string
	Go          any
	Grid, Block gpu.Dim
	Args        func() []any // of the Go kernel: slices and ints
}

// CArgs returns the arguments of the kernel in C, whose int has 32 bits.
func (Twin) CArgs(args []any) []any {
	args = slices.Clone(args)
	for i, a := range args {
		if n, ok := a.(int); ok {
			args[i] = int32(n)
		}
	}
	return args
}

// All is the corpus.
var All = []Twin{
	{"Saxpy", Saxpy, gpu.Grid(8), gpu.Block(128), func() []any { return []any{floats(1024), floats(1024), float32(2), 1000} }},
	{"Shift2D", Shift2D, gpu.Grid(4, 4), gpu.Block(16, 16), func() []any { return []any{floats(64 * 64), floats(64 * 64), 64, 64} }},
	{"Transpose", Transpose, gpu.Grid(4, 4), gpu.Block(16, 16), func() []any { return []any{floats(64 * 64), floats(64 * 64), 64, 64} }},
	{"MatMul", MatMul, gpu.Grid(4, 4), gpu.Block(16, 16), func() []any { return []any{floats(64 * 64), floats(64 * 64), floats(64 * 64), 64} }},
	{"Tiled", Tiled, gpu.Grid(4, 4), gpu.Block(16, 16), func() []any { return []any{floats(64 * 64), floats(64 * 64), floats(64 * 64), 64} }},
	{"Stencil", Stencil, gpu.Grid(4, 4), gpu.Block(16, 16), func() []any { return []any{floats(64 * 64), floats(64 * 64), 64, 64} }},
	{"Sum", Sum, gpu.Grid(4), gpu.Block(256), func() []any { return []any{floats(4), floats(4096), 4096} }},
	{"Histogram", Histogram, gpu.Grid(4), gpu.Block(256), func() []any { return []any{make([]int32, 256), ints(4096), 4096} }},
	{"Unflatten", Unflatten, gpu.Grid(32), gpu.Block(128), func() []any { return []any{floats(4096), floats(4096), 60, 64} }},
	{"Seventh", Seventh, gpu.Grid(32), gpu.Block(128), func() []any { return []any{ints(4096), ints(4096), 4096} }},
	{"SpMV", SpMV, gpu.Grid(2), gpu.Block(128), func() []any {
		row, col := make([]int32, 257), make([]int32, 2048)
		for i := range row {
			row[i] = int32(8 * i)
		}
		for i := range col {
			col[i] = int32(i * 37 % 256)
		}
		return []any{floats(256), row, col, floats(2048), floats(256), 256}
	}},
	{"Looped", Looped, gpu.Grid(8), gpu.Block(128), func() []any { return []any{floats(1024), floats(8192), 1024} }},
	{"Mandel", Mandel, gpu.Grid(4, 4), gpu.Block(16, 16), func() []any { return []any{make([]int32, 4096), 64, 64, 50} }},
}

func floats(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i % 97)
	}
	return x
}

func ints(n int) []int32 {
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(i*31) % 256
	}
	return x
}
