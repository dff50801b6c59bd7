package brook

import (
	"reflect"

	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Index is the place of an element in a stream: X counts along the last axis, Y along the one before.
type Index struct{ X, Y, Z, W int32 }

// IndexOf returns the stream of the places of s, a stream, an array or a [Shape], for a parameter of type [Index]:
// what indexof is in the paper. It takes no memory. Like other inputs it repeats and is read in strides: of an input
// of the call it gives the places in that input, of the shape of the result those in the result.
//
// For example:
//
//	func ramp(at brook.Index) float32 { return float32(at.X) }
//	brook.Map(ramp, brook.IndexOf(brook.Shape(4, 8)))
func IndexOf(s any) *Stream {
	const op = "brook.IndexOf"
	var shape []int
	if o, ok := s.(Option); ok {
		var set Settings
		o.apply(&set)
		shape = set.shape
	}
	if shape == nil {
		shape = Of(s).Shape()
	}
	columns := make([]*np.Array, maxAxes)
	for k := range columns {
		axis := len(shape) - 1 - k
		if axis < 0 {
			columns[k] = np.New(np.Int32, shape...)
			continue
		}
		line := make([]int, len(shape))
		for d := range line {
			line[d] = 1
		}
		line[axis] = shape[axis]
		columns[k] = np.BroadcastTo(np.Arange(shape[axis]).Reshape(line...), shape...).AsType(np.Int32)
	}
	return withColumns(op, formOf(op, reflect.TypeFor[Index]()), columns)
}
