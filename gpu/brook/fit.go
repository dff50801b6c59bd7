package brook

import (
	"fmt"
	"slices"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// padded is a shape with axes of size 1 before it, the shape itself where it has as many.
func padded(shape []int, axes int) []int {
	if len(shape) == axes {
		return shape
	}
	out := ones(axes)
	copy(out[axes-len(shape):], shape)
	return out
}

// ones is a shape of axes of size 1.
func ones(axes int) []int {
	out := make([]int, axes)
	for d := range out {
		out[d] = 1
	}
	return out
}

// domain is the shape of the results of a call: what an option says, or the largest size along each axis.
func domain(op string, s *Settings, inputs []*argument) []int {
	if s.shape != nil {
		return s.shape
	}
	axes := 0
	for _, in := range inputs {
		if in.stream != nil && !in.value.Gather {
			axes = max(axes, len(in.stream.shape))
		}
	}
	if axes == 0 {
		check(op, fmt.Errorf("no argument is a stream that says how many elements there are: give one, or brook.Shape among the arguments"))
	}
	out := make([]int, axes)
	var empty [maxAxes]bool
	for _, in := range inputs {
		if in.stream == nil || in.value.Gather {
			continue
		}
		for d, n := range padded(in.stream.shape, axes) {
			out[d] = max(out[d], n)
			empty[d] = empty[d] || n == 0
		}
	}
	for d := range out {
		if empty[d] {
			out[d] = 0
		}
	}
	return out
}

// fits says how an input of a shape fills a domain: along each axis it is as it is, repeats each element, or is read
// in strides, and why it cannot.
func fits(shape, domain []int) (repeat, step []int, err error) {
	if len(shape) > len(domain) {
		return nil, nil, fmt.Errorf("shape %v has more axes than the result, %v", shape, domain)
	}
	repeat, step = ones(len(domain)), ones(len(domain))
	for d, n := range padded(shape, len(domain)) {
		m := domain[d]
		switch {
		case n == m:
		case n == 0 || m == 0:
			return nil, nil, fmt.Errorf("shape %v has %d elements along axis %d of the result, shape %v, which has %d", shape, n, d, domain, m)
		case n < m && m%n == 0:
			repeat[d] = m / n
		case n < m:
			return nil, nil, fmt.Errorf("shape %v does not repeat into shape %v: along axis %d of the result %d elements are to become %d, which is not a multiple", shape, domain, d, n, m)
		default:
			k := (n + m - 1) / m
			if (n+k-1)/k != m {
				return nil, nil, fmt.Errorf("shape %v has no stride into shape %v: along axis %d of the result every %d. of %d elements makes %d, not %d", shape, domain, d, k, n, (n+k-1)/k, m)
			}
			step[d] = k
		}
	}
	return repeat, step, nil
}

// filled is an array of that shape over the domain.
func filled(c *np.Array, repeat, step, domain []int) *np.Array {
	shape := c.Shape()
	if len(shape) < len(domain) {
		shape = padded(shape, len(domain))
		c = c.Reshape(shape...)
	}
	if slices.Max(step) > 1 {
		at := make([]any, len(step))
		for d, k := range step {
			at[d] = np.S(0, shape[d], k)
			shape[d] = (shape[d] + k - 1) / k
		}
		c = c.At(at...)
	}
	one := true // what repeats is a single element
	for d, k := range repeat {
		one = one && (k == 1 || shape[d] == 1)
	}
	if slices.Max(repeat) == 1 {
		return c
	}
	if one {
		return np.BroadcastTo(c, domain...)
	}
	var split, wide []int
	for d, n := range shape {
		split, wide = append(split, n, 1), append(wide, n, repeat[d])
	}
	return np.BroadcastTo(c.Reshape(split...), wide...).Reshape(domain...)
}
