package answers

import "github.com/arrayrepl/arrayrepl/gpu"

func Square(in, out []float32) {
	i := gpu.ThreadX()
	out[i] = in[i]*in[i] + 1
}

func Apart(a, b, out []float32) {
	i := gpu.ThreadX()
	d := a[i] - b[i]
	if d < 0 {
		d = -d
	}
	out[i] = d
}

func Halve(in, out []float32) {
	i := gpu.ThreadX()
	if i < len(in) { // there are more threads than elements
		out[i] = in[i] / 2
	}
}

func Brighten(in, out []float32, w, h int) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < w && y < h {
		out[y*w+x] = 3 * in[y*w+x]
	}
}

func Table(row, column, out []float32) {
	x, y := gpu.GlobalX(), gpu.GlobalY()
	if x < len(row) && y < len(column) {
		out[y*len(row)+x] = row[x] * column[y]
	}
}

func Stride(in, out []float32) {
	// Neighbouring threads take neighbouring elements in each round.
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		out[i] = in[i] + 10
	}
}
