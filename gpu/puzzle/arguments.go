package puzzle

// These make the arguments of launches, new ones at each call.

func mapped(n int) func() []any {
	return func() []any { return []any{floats(n, 1), make([]float32, n)} }
}

func zipped(n int) func() []any {
	return func() []any { return []any{floats(n, 1), floats(n, 2), make([]float32, n)} }
}

func picture(w, h int) func() []any {
	return func() []any { return []any{floats(w*h, 3), make([]float32, w*h), w, h} }
}

func table(w, h int) func() []any {
	return func() []any { return []any{floats(w, 4), floats(h, 5), make([]float32, w*h)} }
}

func numbers(n int) func() []any {
	return func() []any { return []any{ints(n, 1000, 6)} }
}

func dot(n int) func() []any {
	return func() []any { return []any{floats(n, 7), floats(n, 8), make([]float32, 1)} }
}

func convolved(n, weights int) func() []any {
	return func() []any { return []any{floats(n, 9), floats(weights, 10), make([]float32, n)} }
}

func sums(n int) func() []any {
	return func() []any { return []any{ints(n, 10, 11), make([]int32, n)} }
}

func rows(h, w int) func() []any {
	return func() []any { return []any{floats(w*h, 12), make([]float32, h), w} }
}

func square(n int) func() []any {
	return func() []any { return []any{floats(n*n, 13), make([]float32, n*n), n} }
}

func product(n int) func() []any {
	return func() []any { return []any{floats(n*n, 14), floats(n*n, 15), make([]float32, n*n), n} }
}

func histogram(n, limit int) func() []any {
	return func() []any { return []any{ints(n, limit, 16), make([]int32, limit)} }
}
