package wrong

import "github.com/arrayrepl/arrayrepl/gpu"

// Kernels are the wrong kernels.
var Kernels = append([]Kernel{
	{1, "SquareOne", SquareOne, []string{"race", "out[0]"}},
	{1, "SquareShort", SquareShort, []string{"out[0] should be 65 and is 64", "8 of 8", "It was written by thread 0 of block 0, which had read in[0]."}},
	{1, "SquareNext", SquareNext, []string{"out of bounds", "index 8 is out of range", "thread (7)", "if i < len(x)"}},
	{1, "SquareFloat64", SquareFloat64, []string{"takes ([]float64, []float64)", "in, out []float32"}},
	{2, "ApartSigned", ApartSigned, []string{"should be", "thread", "which had read a["}},
	{2, "ApartSame", ApartSame, []string{"out[1] should be", "a[0], b[0]"}},
	{2, "ApartSwapped", ApartSwapped, []string{"nothing orders them", "out[i ^ 1]", "gpu.Sync"}},
	{3, "HalveUnguarded", HalveUnguarded, []string{"out of bounds", "thread (6)", "the length is 6"}},
	{3, "HalveLate", HalveLate, []string{"out of bounds", "index 6"}},
	{3, "HalveAll", HalveAll, []string{"out[5] should be", "No thread wrote it"}},
	{4, "BrightenColumns", BrightenColumns, []string{"should be", "thread ("}},
	{4, "BrightenHalf", BrightenHalf, []string{"out of bounds"}},
	{4, "BrightenBlock", BrightenBlock, []string{"race", "blocks run in any order"}},
	{5, "TableTurned", TableTurned, []string{"out of bounds"}},
	{5, "TableNarrow", TableNarrow, []string{"race", "blocks run in any order"}},
	{5, "TableSum", TableSum, []string{"out[0] should be", "row[0], column[0]"}},
	{6, "StrideOnce", StrideOnce, []string{"out[8] should be", "No thread wrote it"}},
	{6, "StrideBlock", StrideBlock, []string{"race", "blocks run in any order"}},
	{6, "StrideChunks", StrideChunks, []string{"The result is right", "8192 sectors of global memory", "1024 would do", "neighbouring threads", "8192 of them are of simple.go:"}},
}, shared...)

// SquareOne writes to one element.
func SquareOne(in, out []float32) {
	i := gpu.ThreadX()
	out[0] = in[i]*in[i] + 1
}

// SquareShort forgets to add.
func SquareShort(in, out []float32) {
	i := gpu.ThreadX()
	out[i] = in[i] * in[i]
}

// SquareNext begins to count at 1.
func SquareNext(in, out []float32) {
	i := gpu.ThreadX() + 1
	out[i] = in[i]*in[i] + 1
}

// SquareFloat64 has other types.
func SquareFloat64(in, out []float64) {
	i := gpu.ThreadX()
	out[i] = in[i]*in[i] + 1
}

// ApartSigned keeps the sign.
func ApartSigned(a, b, out []float32) {
	i := gpu.ThreadX()
	out[i] = a[i] - b[i]
}

// ApartSame reads the first elements only.
func ApartSame(a, b, out []float32) {
	out[gpu.ThreadX()] = max(a[0]-b[0], b[0]-a[0])
}

// ApartSwapped lets every thread write a neighbour's element too.
func ApartSwapped(a, b, out []float32) {
	i := gpu.ThreadX()
	out[i^1] = 0
	out[i] = max(a[i]-b[i], b[i]-a[i])
}

// HalveUnguarded has no guard.
func HalveUnguarded(in, out []float32) {
	i := gpu.ThreadX()
	out[i] = in[i] / 2
}

// HalveLate guards with <=.
func HalveLate(in, out []float32) {
	if i := gpu.ThreadX(); i <= len(in) {
		out[i] = in[i] / 2
	}
}

// HalveAll leaves the last element out.
func HalveAll(in, out []float32) {
	if i := gpu.ThreadX(); i < len(in)-1 {
		out[i] = in[i] / 2
	}
}

// BrightenColumns takes rows for columns.
func BrightenColumns(in, out []float32, w, h int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < w && y < h {
		out[x*h+y] = 3 * in[y*w+x]
	}
}

// BrightenHalf guards the rows alone.
func BrightenHalf(in, out []float32, w, h int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if y < h {
		out[y*w+x] = 3 * in[y*w+x]
	}
}

// BrightenBlock forgets the block.
func BrightenBlock(in, out []float32, w, h int) {
	x, y := gpu.ThreadX(), gpu.ThreadY()
	if x < w && y < h {
		out[y*w+x] = 3 * in[y*w+x]
	}
}

// TableTurned swaps the two.
func TableTurned(row, column, out []float32) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < len(row) && y < len(column) {
		out[y*len(row)+x] = row[y] * column[x]
	}
}

// TableNarrow takes the block's width for the table's.
func TableNarrow(row, column, out []float32) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < len(row) && y < len(column) {
		out[y*gpu.BlockDimX()+x] = row[x] * column[y]
	}
}

// TableSum adds.
func TableSum(row, column, out []float32) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < len(row) && y < len(column) {
		out[y*len(row)+x] = row[x] + column[y] + 100
	}
}

// StrideOnce has no loop.
func StrideOnce(in, out []float32) {
	if i := gpu.GlobalID(); i < len(in) {
		out[i] = in[i] + 10
	}
}

// StrideBlock lets each block do all.
func StrideBlock(in, out []float32) {
	for i := gpu.ThreadX(); i < len(in); i += gpu.BlockDimX() {
		out[i] = in[i] + 10
	}
}

// StrideChunks gives each thread elements side by side.
func StrideChunks(in, out []float32) {
	each := (len(in) + gpu.GlobalSize() - 1) / gpu.GlobalSize()
	first := gpu.GlobalID() * each
	for i := first; i < min(first+each, len(in)); i++ {
		out[i] = in[i] + 10
	}
}
