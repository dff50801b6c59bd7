package brook

import "fmt"

// AddressFormat is a format of floats by which machines address elements: bits of a mantissa, the first one included.
type AddressFormat int

// The formats of the paper's machines: of NVIDIA's, which is float32, and of ATI's.
const (
	S23E8 AddressFormat = 24
	S16E7 AddressFormat = 17
)

// String returns the format's name.
func (f AddressFormat) String() string {
	switch f {
	case S23E8:
		return "s23e8"
	case S16E7:
		return "s16e7"
	}
	return fmt.Sprintf("a mantissa of %d bits", int(f))
}

// Place is where element i of a stream lies in a texture of that many elements a row, as a machine computes it that
// has floats of the format alone: column and row.
func (f AddressFormat) Place(i, width int) (x, y int) {
	lin := f.round(i)
	return lin % width, lin / width
}

// round is i as a float of the format, to nearest even.
func (f AddressFormat) round(i int) int {
	unit := 1
	for i/unit >= 1<<f {
		unit *= 2
	}
	low, rest := i/unit, i%unit
	if 2*rest > unit || 2*rest == unit && low%2 == 1 {
		low++
	}
	return low * unit
}

// FirstWrong is the first of n elements that a machine with the format looks for at another's place, -1 where there is
// none.
func (f AddressFormat) FirstWrong(n int) int {
	if first := 1<<f + 1; first < n {
		return first
	}
	return -1
}

// textureEdge is how many elements a row of a texture has, and how many rows there are: S16E7 belongs to the machine
// with the smaller ones.
func (f AddressFormat) textureEdge() int {
	if f == S16E7 {
		return 2048
	}
	return 4096
}

// Address has calls refuse streams in which a machine would not find all elements that wraps them over the rows of a
// texture, and computes places in floats of the format; the error names the first element that it would take from
// another's place. Without it places are integers, and exact.
func Address(f AddressFormat) Option {
	if f != S23E8 && f != S16E7 {
		check("brook.Address", fmt.Errorf("there are the formats S23E8 and S16E7, not %v", f))
	}
	return Option{func(s *Settings) { s.format = f }}
}

// Unwrapped has calls refuse streams that are no texture as they are, where all others are wrapped over the rows of
// one: those with more than two axes, or with more elements along one than a row of a texture has, 4096, or 2048 with
// S16E7. The original runtime on its first machines had this limit.
func Unwrapped() Option { return Option{func(s *Settings) { s.unwrapped = true }} }

// textured refuses a stream, or the result, that is no texture without being wrapped.
func (c *call) textured(what string, shape []int) {
	edge := c.settings.format.textureEdge()
	const wrap = "; without brook.Unwrapped it is wrapped over the rows of one"
	if len(shape) > 2 {
		c.fail("%s of shape %v has %d axes, a texture has 2"+wrap, what, shape, len(shape))
	}
	for d, n := range shape {
		if n > edge {
			c.fail("%s of shape %v has %d elements along axis %d, a texture has %d"+wrap, what, shape, n, d, edge)
		}
	}
}

// addressed refuses streams that the format of addresses does not reach, or that are not to be wrapped.
func (c *call) addressed() {
	f := c.settings.format
	if f == 0 && !c.settings.unwrapped {
		return
	}
	look := func(what string, shape []int) {
		if c.settings.unwrapped {
			c.textured(what, shape)
		}
		if f == 0 {
			return
		}
		n := 1
		for _, k := range shape {
			n *= k
		}
		edge := f.textureEdge()
		if i := f.FirstWrong(n); i >= 0 {
			x, y := f.Place(i, edge)
			c.fail("%s of shape %v has %d elements, of which %v addresses %d: it would read element %d as that in row %d and column %d, which is element %d",
				what, shape, n, f, 1<<f+1, i, y, x, y*edge+x)
		}
		if n > edge*edge {
			c.fail("%s of shape %v has %d elements, more than a texture of %d by %d", what, shape, n, edge, edge)
		}
	}
	for _, a := range c.args {
		if a.stream != nil {
			look("the stream of parameter "+a.value.Name, a.stream.shape)
		}
	}
	look("the result", c.domain)
}
