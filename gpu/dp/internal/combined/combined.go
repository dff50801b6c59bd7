// Package combined has operators of records, for tests, which compile its source.
package combined

// Matrix has two rows of two numbers.
type Matrix struct{ A, B, C, D int32 }

// Mul is the product, which is associative and not commutative.
func Mul(p, q Matrix) Matrix {
	return Matrix{p.A*q.A + p.B*q.C, p.A*q.B + p.B*q.D, p.C*q.A + p.D*q.C, p.C*q.B + p.D*q.D}
}

// Found is a sum that begins again, and the least number with its place.
type Found struct {
	Begins bool
	Sum    int64
	Least  struct {
		Value float32
		At    uint16
	}
}

// Join is the operator of segments on Found.
func Join(p, q Found) Found {
	if q.Begins {
		return q
	}
	q.Begins = p.Begins
	q.Sum += p.Sum
	if p.Least.Value <= q.Least.Value {
		q.Least = p.Least
	}
	return q
}

// Add is the sum.
func Add(a, b float32) float32 { return a + b }

// Most is the greater of the two, but never less than nothing.
func Most(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
}

// Then is one of nine states after another, for each that comes before: a column of an automaton's table.
func Then(f, g [9]uint8) [9]uint8 {
	var out [9]uint8
	for i, s := range f {
		out[i] = g[s]
	}
	return out
}

// Latest is the later one of the two, unless it is 0: associative, not commutative, with the identity 0.
func Latest(a, b int64) int64 {
	if b != 0 {
		return b
	}
	return a
}
