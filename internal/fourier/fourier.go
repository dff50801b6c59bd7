// Package fourier computes discrete Fourier transforms of any length: X[k] = Σ x[j]·exp(-2πi·jk/n). It is a leaf that
// knows slices alone.
//
// Lengths are cut into factors 4, 2, 3, 5 and other small primes, which Stockham's algorithm transforms without a
// permutation of its own; long ones are cut into two lengths near the root first, whose transforms stay in cache
// (Bailey's four steps); lengths with a large prime factor are convolutions of a power of two (Bluestein). Twiddles are
// correctly rounded to about one unit in the last place by reduction to an eighth of a turn, so errors grow with the
// logarithm of the length. Vectors of the processor do the passes of radix 4 and 2 with the bits of the Go code.
package fourier

import (
	"math"
	"math/bits"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

const (
	largestPrime = 31      // of a factor that is transformed by its definition
	longest      = 1 << 16 // of a transform in cache; longer ones are cut in two
	columns      = 16      // that are transformed together, so that memory is read in lines
)

// Plan is a transform of one length. It may be used by several goroutines.
type Plan struct {
	n      int
	passes []pass // of Stockham's algorithm
	cut    *cut
	chirp  *chirp
}

// pass is one step of Stockham's algorithm: butterflies of a radix over stride neighbouring transforms.
type pass struct {
	radix, m, stride int
	twiddles         []complex128 // radix-1 times m
	roots            []complex128 // of 1, for a radix without a butterfly of its own
}

// cut makes a transform of rows*columns out of shorter ones.
type cut struct {
	rows, columns int
	down, across  *Plan // of lengths rows and columns
	twiddles      []complex128
}

// chirp makes a transform a convolution.
type chirp struct {
	padded   *Plan
	factors  []complex128 // exp(-πi·j²/n)
	spectrum []complex128 // of the conjugate factors, divided by the padded length
}

var plans = struct {
	sync.Mutex
	of    map[int]*Plan
	order []int
}{of: map[int]*Plan{}}

// kept is how many lengths are remembered.
const kept = 16

// New returns the plan of length n, which is 1 or more.
func New(n int) *Plan {
	plans.Lock()
	p := plans.of[n]
	plans.Unlock()
	if p != nil {
		return p
	}
	p = plan(n)
	plans.Lock()
	defer plans.Unlock()
	if plans.of[n] == nil {
		plans.of[n] = p
		if plans.order = append(plans.order, n); len(plans.order) > kept {
			delete(plans.of, plans.order[0])
			plans.order = plans.order[1:]
		}
	}
	return p
}

func plan(n int) *Plan {
	p := &Plan{n: n}
	radices, ok := factors(n)
	switch {
	case !ok:
		p.chirp = newChirp(n)
	case n > longest:
		if rows := divisor(n); rows > 1 {
			c := &cut{rows: rows, columns: n / rows, down: New(rows), across: New(n / rows), twiddles: make([]complex128, n)}
			workers.Do(rows, func(k int) {
				for j := range c.columns {
					c.twiddles[k*c.columns+j] = root(j*k, n)
				}
			}, func() {})
			p.cut = c
			break
		}
		fallthrough
	default:
		m, stride := n, 1
		for _, r := range radices {
			m /= r
			s := pass{radix: r, m: m, stride: stride, twiddles: make([]complex128, m*(r-1))}
			for j := 1; j < r; j++ {
				for k := range m {
					s.twiddles[(j-1)*m+k] = root(j*k, m*r)
				}
			}
			for k := range r {
				s.roots = append(s.roots, root(k, r))
			}
			p.passes = append(p.passes, s)
			stride *= r
		}
	}
	return p
}

// factors cuts n into radices; ok is false when a prime is too large.
func factors(n int) (radices []int, ok bool) {
	for _, r := range []int{4, 2, 3, 5} {
		for n%r == 0 {
			radices, n = append(radices, r), n/r
		}
	}
	for r := 7; r <= largestPrime; r += 2 {
		for n%r == 0 {
			radices, n = append(radices, r), n/r
		}
	}
	return radices, n == 1
}

// divisor is the largest divisor of n that is not above its root.
func divisor(n int) int {
	best := 1
	for d := 1; d*d <= n; d++ {
		if n%d == 0 {
			best = d
		}
	}
	return best
}

// root is exp(-2πi·k/n), its angle reduced to an eighth of a turn by whole numbers.
func root(k, n int) complex128 {
	k %= n
	eighth := 8 * k / n // of the turn
	over := 8*k - eighth*n
	if eighth&1 == 1 {
		over = n - over
	}
	angle := math.Pi * float64(over) / (4 * float64(n))
	c, s := elementary.Cos(angle), elementary.Sin(angle)
	if over == n { // half way the two are equal
		c, s = math.Sqrt2/2, math.Sqrt2/2
	}
	switch eighth {
	case 1:
		c, s = s, c
	case 2:
		c, s = -s, c
	case 3:
		c = -c
	case 4:
		c, s = -c, -s
	case 5:
		c, s = -s, -c
	case 6:
		c, s = s, -c
	case 7:
		s = -s
	}
	return complex(c, -s)
}

func newChirp(n int) *chirp {
	size := 1 << bits.Len(uint(2*n-2))
	c := &chirp{padded: New(size), factors: make([]complex128, n), spectrum: make([]complex128, size)}
	square := 0 // j² mod 2n, which stays a small number
	for j := range n {
		c.factors[j] = root(square, 2*n)
		square = (square + 2*j + 1) % (2 * n)
		v := conj(c.factors[j])
		c.spectrum[j] = v
		if j > 0 {
			c.spectrum[size-j] = v
		}
	}
	c.padded.Transform(c.spectrum)
	for i, v := range c.spectrum {
		c.spectrum[i] = complex(real(v)/float64(size), imag(v)/float64(size))
	}
	return c
}

// Transform replaces x, of the plan's length, by its transform. Long ones use all processors.
func (p *Plan) Transform(x []complex128) { p.transform(x, func() {}) }

// TransformPolled is Transform, which calls poll about every hundredth of a second from the same goroutine; a panic of
// it ends the work.
func (p *Plan) TransformPolled(x []complex128, poll func()) { p.transform(x, poll) }

func (p *Plan) transform(x []complex128, poll func()) {
	switch {
	case p.cut != nil:
		p.cut.transform(x, poll)
	case p.chirp != nil:
		p.chirp.transform(x, poll)
	default:
		room := scratch(p.n)
		p.inCache(x, *room)
		rooms.Put(room)
	}
}

// inCache does the passes, to and fro between x and room.
func (p *Plan) inCache(x, room []complex128) {
	from, to := x, room[:len(x)]
	for i := range p.passes {
		p.passes[i].do(to, from)
		from, to = to, from
	}
	if len(p.passes)%2 == 1 {
		copy(x, from)
	}
}

// rooms are kept between transforms, which write before they read.
var rooms sync.Pool

// scratch returns room for n numbers or more, to be put back into rooms.
func scratch(n int) *[]complex128 {
	if room, ok := rooms.Get().(*[]complex128); ok && cap(*room) >= n {
		*room = (*room)[:n]
		return room
	}
	room := make([]complex128, n)
	return &room
}

// transform goes down the columns of x seen as rows x columns, multiplies by twiddles, and goes along the rows; what
// comes out is transposed.
func (c *cut) transform(x []complex128, poll func()) {
	r, w := c.rows, c.columns
	room := make([]complex128, len(x))
	groups := (w + columns - 1) / columns
	workers.Do(groups, func(g int) {
		j0 := g * columns
		n := min(columns, w-j0)
		buf, spare := make([]complex128, n*r), make([]complex128, r)
		for i := range r {
			for j, v := range x[i*w+j0 : i*w+j0+n] {
				buf[j*r+i] = v
			}
		}
		for j := range n {
			c.down.into(buf[j*r:(j+1)*r], spare)
		}
		for i := range r {
			tw := c.twiddles[i*w+j0 : i*w+j0+n]
			for j, t := range tw {
				room[i*w+j0+j] = times(buf[j*r+i], t)
			}
		}
	}, poll)
	groups = (r + columns - 1) / columns
	workers.Do(groups, func(g int) {
		i0 := g * columns
		n := min(columns, r-i0)
		spare := make([]complex128, w)
		for i := i0; i < i0+n; i++ {
			c.across.into(room[i*w:(i+1)*w], spare)
		}
		for j := range w {
			out := x[j*r+i0 : j*r+i0+n]
			for k := range out {
				out[k] = room[(i0+k)*w+j]
			}
		}
	}, poll)
}

// into is transform with room for the passes, of a plan that may be cut itself.
func (p *Plan) into(x, room []complex128) {
	if p.cut == nil && p.chirp == nil {
		p.inCache(x, room)
		return
	}
	p.transform(x, func() {})
}

func (c *chirp) transform(x []complex128, poll func()) {
	n := len(x)
	y := make([]complex128, len(c.spectrum))
	for j := range n {
		y[j] = times(x[j], c.factors[j])
	}
	c.padded.transform(y, poll)
	for j, v := range y {
		v = times(v, c.spectrum[j])
		y[j] = complex(imag(v), real(v)) // exchanged, a transform is the inverse one
	}
	c.padded.transform(y, poll)
	for k := range n {
		x[k] = times(complex(imag(y[k]), real(y[k])), c.factors[k])
	}
}

func conj(z complex128) complex128 { return complex(real(z), -imag(z)) }

// times is a product whose parts no compiler may fuse.
func times(z, w complex128) complex128 {
	return complex(float64(real(z)*real(w))-float64(imag(z)*imag(w)), float64(real(z)*imag(w))+float64(imag(z)*real(w)))
}
