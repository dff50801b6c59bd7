// Package streamed has kernels of streams, for tests, which compile its source.
package streamed

import "github.com/arrayrepl/arrayrepl/gpu/brook"

// Saxpy is the first kernel of the paper.
func Saxpy(a float32, x, y brook.F4) (r brook.F4) { return x.Scale(a).Add(y) }

// Inc adds one.
func Inc(x float32) float32 { return x + 1 }

// Second is its second parameter.
func Second(_, x float32) float32 { return x }

// Mul is a product.
func Mul(a, b float32) float32 { return float32(a * b) }

// Sum adds.
func Sum(a, r float32) float32 { return a + r }

// Add4 adds vectors.
func Add4(a, r brook.F4) brook.F4 { return a.Add(r) }

// Matrix has two rows of two numbers.
type Matrix struct{ A, B, C, D int32 }

// Product is associative and not commutative.
func Product(p, q Matrix) Matrix {
	return Matrix{p.A*q.A + p.B*q.C, p.A*q.B + p.B*q.D, p.C*q.A + p.D*q.C, p.C*q.B + p.D*q.D}
}

// Minus is not associative.
func Minus(a, b int32) int32 { return a - b }

// Triangle has three corners.
type Triangle struct{ V0, V1, V2 brook.F3 }

// Ray begins at O, and goes along D.
type Ray struct {
	O, D brook.F3
	TMax float32
}

// Hit is where a ray meets a triangle.
type Hit struct{ T, U, V, Index float32 }

// Split has several results, of several kinds.
func Split(h Hit, k int64) (whole [2]int16, odd bool, r struct{ H Hit }) {
	for i := int64(0); i < k%7; i++ {
		h.T += float32(i)
	}
	odd = k&1 == 1
	if odd {
		h.U, h.V = h.V, h.U
	}
	return [2]int16{int16(h.T), int16(k)}, odd, struct{ H Hit }{h}
}

// Blur reads its neighbours in a picture.
func Blur(at brook.Index, picture brook.Gather[float32], h, w int) float32 {
	sum := float32(0)
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			y, x := min(max(int(at.Y)+dy, 0), h-1), min(max(int(at.X)+dx, 0), w-1)
			sum += picture.At2(y, x)
		}
	}
	return sum / 9
}

// Corner reads an element of four axes.
func Corner(w, z, y, x int, of brook.Gather[[2]int32]) (int32, int32) {
	e := of.At4(w, z, y, x)
	f := of.At3(z, y, x)
	return e[0], f[1]
}

// Rows are the rows of a matrix.
type Rows struct{ R0, R1, R2, R3 brook.F4 }

// Mat4Mult multiplies matrices, row by row: four outputs.
func Mat4Mult(a, b Rows) (c Rows) {
	return Rows{row(a.R0, b), row(a.R1, b), row(a.R2, b), row(a.R3, b)}
}

func row(a brook.F4, b Rows) brook.F4 {
	return b.R3.MAdd(a.W, b.R2.MAdd(a.Z, b.R1.MAdd(a.Y, b.R0.Scale(a.X))))
}

// Cloth moves a point of a cloth that four springs hold: its next place, and a second output of the forces.
func Cloth(p, before, n, e, s, w brook.F4) (next, momentum brook.F4) {
	f := spring(w, p, before, spring(s, p, before, spring(e, p, before, spring(n, p, before, brook.F4{Z: -9.81}))))
	return f.MAdd(1e-4, p.Sub(before).Add(p)), f.Scale(0.01).Mul(f).Add(before)
}

// spring adds the force of a spring to a neighbour in twelve instructions.
func spring(neighbour, p, before, force brook.F4) brook.F4 {
	d := neighbour.Sub(p)
	x := d.Length() - 1
	k := min(x*40, 200) / (x + 1)
	c := neighbour.Sub(before).Dot(d) * 0.25
	return d.MAdd(c, d.MAdd(k, force))
}

// Pairs has outputs of which two and two use the same.
func Pairs(x, y float32) (a, b, c, d float32) {
	p, q := x*x+1, y*y+2
	return p, q, p * 3, q * 3
}

// Keep emits what is positive, and Four four triangles for one.
func Keep(x float32, emit func(float32)) {
	if x > 0 {
		emit(x)
	}
}

// Four divides a triangle in the middles of its sides.
func Four(t Triangle, emit func(Triangle)) {
	a, b, c := t.V0.Add(t.V1).Scale(0.5), t.V1.Add(t.V2).Scale(0.5), t.V2.Add(t.V0).Scale(0.5)
	emit(Triangle{t.V0, a, c})
	emit(Triangle{a, t.V1, b})
	emit(Triangle{c, b, t.V2})
	emit(Triangle{a, b, c})
}

// Times emits a number as many times as it says.
func Times(n int32, most int32, emit func(struct{ N, K int32 })) {
	for k := int32(0); k < n && k < most; k++ {
		emit(struct{ N, K int32 }{n, k})
	}
}

// Twice doubles.
func Twice(x int32) int32 { return 2 * x }

// Mads is the kernel of the paper's figure 4: 43 products and sums.
func Mads(x, a float32) float32 {
	y := x
	for range 43 {
		y = float32(y*a) + x
	}
	return y
}

// Places are where elements of x, y and the result lie, and where a constant does.
func Places(x, y float32, k int32) (of [3]brook.Index, constant brook.Index) {
	return [3]brook.Index{brook.IndexOf(x), brook.IndexOf(y), brook.IndexOf(of)}, brook.IndexOf(k)
}

// Ramp is larger to the right.
func Ramp(x float32) (r float32) { return x + float32(brook.IndexOf(r).X) }

// At emits where an element lies, if it is positive.
func At(x float32, emit func(brook.Index)) {
	if x > 0 {
		emit(brook.IndexOf(x))
	}
}

// Look reads a table at eight places that depend on an element.
func Look(x float32, table brook.Gather[float32]) float32 {
	sum := x
	for k := range 8 {
		sum += table.At((int(x) + 8*k) % table.Len())
	}
	return sum
}

// Fan has five outputs, of which the third is the largest.
func Fan(x float32) (a, b float32, c brook.F4, d, e float32) {
	return x + 1, x + 2, brook.F4{X: x, Y: x, Z: x, W: 3}, x + 4, x + 5
}

// Marked adds a number to a hit, and has where it lies along the last axis.
func Marked(h Hit, x float32) (r Hit) {
	return Hit{h.T + x, h.U, float32(brook.IndexOf(h).X), h.Index}
}

// Left has a place where there is none.
func Left(a, b float32) float32 { return a + float32(brook.IndexOf(b).X) }

// Mul64 is a product, the other way round.
func Mul64(a, b float64) float64 { return b * a }

// Sum64 adds.
func Sum64(a, r float64) float64 { return a + r }

// The functions below look like a product, or a sum, and are none.

// Less is a difference.
func Less(a, b float32) float32 { return a - b }

// Double is twice a product.
func Double(a, b float32) float32 { return a * b * 2 }

// Square leaves its second parameter out.
func Square(a, _ float32) float32 { return a * a }

// Largest is the larger one.
func Largest(a, b float32) float32 { return max(a, b) }
