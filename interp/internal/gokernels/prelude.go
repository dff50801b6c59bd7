package gokernels

// Prelude declares what the kernels use: types with methods, functions, and variables of the package, which Reset gives
// their first values.
const Prelude = `
type vec struct{ X, Y float64 }
type rec struct {
	A int32
	B float64
	C uint8
	D [5]int16
	V vec
	E uint64
}
type mat [2][3]int32
type two[A, B any] struct {
	First  A
	Second B
}
type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func (v vec) dot(w vec) float64      { return v.X*w.X + v.Y*w.Y }
func (v *vec) scale(f float64)       { v.X, v.Y = v.Y*f, v.X*f }
func (r rec) sum() (s int)           { for _, d := range r.D { s += int(d) }; r.D[0] = 99; return s + int(r.A) }
func (r *rec) at(i int) *int16       { return &r.D[uint(i)%5] }
func (r *rec) put(d [5]int16) [5]int16 { r.D, d = d, r.D; return d }
func (m mat) row(i int) [3]int32     { return m[uint(i)%2] }
func (m *mat) turn()                 { m[0], m[1] = m[1], m[0] }
func (t two[A, B]) flip() two[B, A]  { return two[B, A]{t.Second, t.First} }

var (
	base  int
	part  float64
	table [5]int16
	shape mat
	one   rec
	slots [64]rec // an element for each thread
	hits  int
	sums  [4]uint32
)

func reset() {
	base, part, table, shape = -12345678901, 0.3, [5]int16{7, -300, 12, 0, 5}, mat{{3, 1, 4}, {-1, 5, 1 << 30}}
	one, hits, sums = rec{A: 77, B: -0.5, D: table, V: vec{2, 8}}, 100, [4]uint32{}
	for i := range slots {
		slots[i] = rec{A: int32(i), E: uint64(i) << 33}
	}
}

func divmod(a, b int) (q, r int) {
	if b == 0 {
		return a, b
	}
	q = a / b
	r = a - q*b
	return
}
func choose[T any](c bool, a, b T) (T, T) {
	if c {
		a, b = b, a
	}
	return a, b
}
func exchange[T any](a, b *T) { *a, *b = *b, *a }
func rotate[T any](s []T) {
	for i := 1; i < len(s); i++ {
		s[i-1], s[i] = s[i], s[i-1]
	}
}
func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
func total[T number](s ...T) (t T) {
	for _, x := range s {
		t += x
	}
	return
}
func within[T float32 | float64](x T) T {
	if x >= 1e19 {
		return 7
	}
	return x
}
func apply[T any](x T, n int, f func(T) T) T {
	for range n {
		x = f(x)
	}
	return x
}
`
