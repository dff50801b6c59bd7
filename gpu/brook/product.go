package brook

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// sumOfProducts is the rule that a sum, along one axis, of the products of a matrix and a vector that repeats in its
// rows or columns is their matrix product.
const sumOfProducts = "sum of products"

// instead is what a plan says where the rule has been applied.
const instead = "on the CPU these passes are one matrix product, by the rule \"" + sumOfProducts + "\": floats are added in the order of np.MatMul"

// product is the reduction of what a map makes where it is a matrix product, of the shape that the reduction has;
// nil where it is none, where the plan has been chosen, or where machines run the passes that they are to show. The
// order of additions is that of np.MatMul for the shapes, whether the elements between have been asked for or not.
func (r *reduction) product(s *Stream, to, ratio []int) *np.Array {
	m := s.made
	if m == nil || r.settings.launches() || r.settings.factor != 0 || r.settings.single || np.Device() != "host" {
		return nil
	}
	c, of := m.call, r.form.dtypes[0]
	if of != np.Float32 && of != np.Float64 || !isOne(c.s, kir.OpMul) || !isOne(r.s, kir.OpAdd) || !m.same(s.columns) {
		return nil
	}
	axis := -1
	for d, n := range ratio {
		switch {
		case n == 1:
		case axis >= 0 || to[d] != 1:
			return nil
		default:
			axis = d
		}
	}
	if axis < 0 {
		return nil
	}
	outer, inner := 1, 1
	for d, n := range c.domain {
		switch {
		case d < axis:
			outer *= n
		case d > axis:
			inner *= n
		}
	}
	if outer > 1 && inner > 1 { // neither rows nor columns
		return nil
	}
	line := ones(len(c.domain)) // the shape of a vector along the axis
	line[axis] = c.domain[axis]
	var matrix, vector *np.Array
	for _, a := range c.args {
		if a.stream == nil || len(a.stream.shape) > len(c.domain) {
			return nil
		}
		switch shape := padded(a.stream.shape, len(c.domain)); {
		case matrix == nil && slices.Equal(shape, c.domain):
			matrix = a.stream.columns[0]
		case vector == nil && slices.Equal(shape, line):
			vector = a.stream.columns[0]
		default:
			return nil
		}
	}
	n := c.domain[axis]
	var out *np.Array
	if inner == 1 {
		out = np.MatMul(shaped(matrix, outer, n), shaped(vector, n, 1))
	} else {
		out = np.MatMul(shaped(vector, 1, n), shaped(matrix, n, inner))
	}
	np.Wiring{}.RewrittenBy(out, sumOfProducts)
	return shaped(out, to...)
}

// shaped is an array under a shape, the array itself where it has that.
func shaped(a *np.Array, shape ...int) *np.Array {
	if slices.Equal(a.Shape(), shape) {
		return a
	}
	return a.Reshape(shape...)
}

// same reports whether the columns are still what the call makes of its inputs.
func (m *made) same(columns []*np.Array) bool {
	i := 0
	for a := range m.arrays(columns) {
		if of, _, _ := (np.Wiring{}).Elements(a); of != m.states[i] {
			return false
		}
		i++
	}
	return true
}

// isOne reports whether a function of two numbers is one operation on both of them, in either order, and nothing else.
func isOne(s *gosrc.Streaming, op kir.Op) bool {
	type key struct{ op kir.Op }
	return s.Keep(key{op}, func() any {
		args := s.Args()
		if len(args) != 2 || args[0] != args[1] || len(s.Indexes) > 0 {
			return false
		}
		b := kir.NewBuilder(identifier(s.Name))
		x, y := b.Param("x", args[0]), b.Param("y", args[1])
		out, err := s.Emit(b, []*kir.Value{x, y}, gosrc.StreamHooks{})
		if err != nil || len(out) != 1 || out[0].Op != op {
			return false
		}
		if in := out[0].Args; !(in[0] == x && in[1] == y) && !(in[0] == y && in[1] == x) {
			return false
		}
		b.Return()
		f, err := b.Func()
		if err != nil {
			return false
		}
		for _, block := range f.Blocks {
			for _, v := range block.Values {
				if v.Op != kir.OpParam && v != out[0] {
					return false
				}
			}
		}
		return true
	}).(bool)
}
