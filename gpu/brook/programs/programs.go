package programs

import (
	"math"
	"math/bits"

	"github.com/arrayrepl/arrayrepl/gpu/brook"
)

// Programs runs the programs with settings of package brook.
type Programs struct {
	*brook.Settings
	// Kernel gives brook a function of this package with its source, which compiled programs do not have.
	Kernel func(name string, f any) any
}

// Saxpy is a*x + y, of streams of [brook.F4].
func (p *Programs) Saxpy(a float32, x, y *brook.Stream) *brook.Stream {
	return p.Map(p.Kernel("Saxpy", Saxpy), a, x, y)
}

// Saxpy is the kernel of [Programs.Saxpy].
func Saxpy(a float32, x, y brook.F4) (r brook.F4) { return x.Scale(a).Add(y) }

// Sgemv is alpha*A*x + beta*y: a of shape n by m, x of 1 by m and y of n by 1 floats. The vector repeats in each row,
// and the rows are reduced.
func (p *Programs) Sgemv(alpha float32, a, x *brook.Stream, beta float32, y *brook.Stream) *brook.Stream {
	products := p.Map(p.Kernel("Product", Product), a, x)
	sums := p.Reduce(p.Kernel("Sum", Sum), products, brook.Shape(y.Shape()...))
	return p.Map(p.Kernel("Combine", Combine), alpha, sums, beta, y)
}

// Product is a product.
func Product(a, b float32) float32 { return a * b }

// Sum adds.
func Sum(a, b float32) float32 { return a + b }

// Combine is alpha*ax + beta*y.
func Combine(alpha, ax, beta, y float32) float32 { return float32(alpha*ax) + float32(beta*y) }

// FFT is the discrete Fourier transform along both axes of n by n elements, a power of two, in four channels: re and
// im are streams of [brook.F4]. Bits are reversed once, then there are log2(n) passes along rows and as many along
// columns.
func (p *Programs) FFT(re, im *brook.Stream) (r, i *brook.Stream) {
	n := re.Shape()[0]
	levels := bits.Len(uint(n)) - 1
	shape, roots := brook.Shape(n, n), brook.Of(Roots(n))
	out := p.Maps(p.Kernel("Reverse", Reverse), re, im, levels, shape)
	for _, pass := range []any{p.Kernel("Rows", Rows), p.Kernel("Columns", Columns)} {
		for half := 1; half < n; half *= 2 {
			out = p.Maps(pass, out[0], out[1], roots, half, shape)
		}
	}
	return out[0], out[1]
}

// FFTFlops is how many floating-point operations a transform of n by n elements in c channels is said to have,
// 5 n² c log2(n²): how the paper counts.
func FFTFlops(n, c int) int { return 5 * n * n * c * 2 * (bits.Len(uint(n)) - 1) }

// Roots are the roots of unity that the passes of a transform need: those of the pass with butterflies of half a
// distance begin at half-1.
func Roots(n int) []brook.F2 {
	var out []brook.F2
	for half := 1; half < n; half *= 2 {
		for k := range half {
			sin, cos := math.Sincos(-math.Pi * float64(k) / float64(half))
			out = append(out, brook.F2{X: float32(cos), Y: float32(sin)})
		}
	}
	return out
}

// Reverse takes the element whose place has the bits of this one's in the opposite order.
func Reverse(re, im brook.Gather[brook.F4], levels int32) (r, i brook.F4) {
	at := brook.IndexOf(r)
	x, y := int(reversed(at.X, levels)), int(reversed(at.Y, levels))
	return re.At2(y, x), im.At2(y, x)
}

func reversed(x, levels int32) (out int32) {
	for k := int32(0); k < levels; k++ {
		out = out<<1 | x>>k&1
	}
	return out
}

// Rows is a pass along rows: an element and the one half a distance from it make two new ones.
func Rows(re, im brook.Gather[brook.F4], roots brook.Gather[brook.F2], half int32) (r, i brook.F4) {
	at := brook.IndexOf(r)
	y, low := int(at.Y), int(at.X&^half)
	high, w := low+int(half), roots.At(int(half-1+at.X&(half-1)))
	return butterfly(re.At2(y, low), im.At2(y, low), re.At2(y, high), im.At2(y, high), w, at.X&half != 0)
}

// Columns is a pass along columns.
func Columns(re, im brook.Gather[brook.F4], roots brook.Gather[brook.F2], half int32) (r, i brook.F4) {
	at := brook.IndexOf(r)
	x, low := int(at.X), int(at.Y&^half)
	high, w := low+int(half), roots.At(int(half-1+at.Y&(half-1)))
	return butterfly(re.At2(low, x), im.At2(low, x), re.At2(high, x), im.At2(high, x), w, at.Y&half != 0)
}

// butterfly is a + w b, or a - w b.
func butterfly(ar, ai, br, bi brook.F4, w brook.F2, minus bool) (r, i brook.F4) {
	cr, ci := br.Scale(w.X).Sub(bi.Scale(w.Y)), br.Scale(w.Y).Add(bi.Scale(w.X))
	if minus {
		return ar.Sub(cr), ai.Sub(ci)
	}
	return ar.Add(cr), ai.Add(ci)
}

// Segment divides a picture, a stream of h by w floats from 0 to 1, into what belongs to seeds and what does not, in
// so many steps: seeds are a stream of the same shape, 1 within, 0 without and 0.5 where nobody knows.
func (p *Programs) Segment(picture, seeds *brook.Stream, steps int) *brook.Stream {
	h, w := picture.Shape()[0], picture.Shape()[1]
	state, kernel := seeds, p.Kernel("Grow", Grow)
	for range steps {
		state = p.Maps(kernel, picture, state, picture, state, h, w)[0]
	}
	return state
}

// Grow is a step of the segmentation, by nonlinear diffusion as of Perona and Malik: a pixel takes from its neighbours
// what they belong to, the less the more their brightness differs, and what is nearer to one side is drawn there. For
// each pixel it reads ten floats, has 32 floating-point operations and writes two floats: the figures of the paper,
// whose kernel is not published.
func Grow(f, u float32, picture, state brook.Gather[float32], h, w int) (next, flow float32) {
	at := brook.IndexOf(next)
	y, x := int(at.Y), int(at.X)
	up, down, left, right := max(y-1, 0), min(y+1, h-1), max(x-1, 0), min(x+1, w-1)
	flow = moved(f, u, picture.At2(up, x), state.At2(up, x)) + moved(f, u, picture.At2(down, x), state.At2(down, x)) +
		moved(f, u, picture.At2(y, left), state.At2(y, left)) + moved(f, u, picture.At2(y, right), state.At2(y, right))
	next = u + float32(0.24*flow) + float32(0.02*(u-0.5))
	return max(min(next, 1), 0), flow
}

// moved is what a neighbour gives: six operations.
func moved(f, u, of, ou float32) float32 {
	d := of - f
	return max(1-float32(float32(d*d)*64), 0) * (ou - u)
}
