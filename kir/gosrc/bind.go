package gosrc

import (
	"fmt"
	"go/types"
	"math"
	"reflect"
	"strings"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Bound is what a launch passes for one of the kernel's parameters: Bits of a scalar or a length, or the memory of a
// slice.
type Bound struct {
	Bits  uint64
	Slice any    // nil for scalars; else what the launch was given: a Go slice, or what the caller's Slices took
	Bytes []byte // of a Go slice
	Leaf  *Leaf
}

// Slices lets a caller pass things of its own, such as arrays, for slices: it returns how many elements v has as a
// slice of leaf's type, and false when v is nothing of the kind. The error says why v cannot be passed.
type Slices func(leaf *Leaf, v any) (n int, ok bool, err error)

// Bind matches the arguments of a launch with the kernel's parameters. The error names the parameter, what it wants and
// what it was given. Numbers may have another type than the parameter if that holds the value; floats are rounded.
func (k *Kernel) Bind(args []any, own Slices) ([]Bound, error) {
	if len(args) != len(k.Params) {
		var wants []string
		for _, p := range k.Params {
			wants = append(wants, p.Name+" "+typeName(p.Type))
		}
		return nil, fmt.Errorf("kernel %s takes %s, not %d: (%s)", k.Func.Name, count(len(k.Params), "argument"), len(args), strings.Join(wants, ", "))
	}
	out := make([]Bound, len(k.Func.Params))
	for i := range k.Params {
		p := &k.Params[i]
		for j := range p.Leaves {
			leaf := &p.Leaves[j]
			v, err := follow(args[i], leaf.Path)
			if err == nil {
				err = leaf.bind(v, own, out)
			}
			if err != nil {
				return nil, fmt.Errorf("kernel %s, parameter %s %s: %w", k.Func.Name, leaf.Name, typeName(leaf.Type), err)
			}
		}
	}
	return out, nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// follow returns the part of a struct or array that path leads to.
func follow(v any, path []int) (any, error) {
	for _, i := range path {
		r := reflect.ValueOf(v)
		switch {
		case r.Kind() == reflect.Struct && i < r.NumField():
			f := r.Field(i)
			if !f.CanInterface() { // an unexported field: read it where it is
				c := reflect.New(r.Type()).Elem()
				c.Set(r)
				f = reflect.NewAt(f.Type(), unsafe.Pointer(c.Field(i).UnsafeAddr())).Elem()
			}
			v = f.Interface()
		case r.Kind() == reflect.Array && i < r.Len():
			v = r.Index(i).Interface()
		default:
			return nil, fmt.Errorf("the argument is %s", describe(v))
		}
	}
	return v, nil
}

func describe(v any) string {
	if v == nil {
		return "nil"
	}
	return fmt.Sprintf("a %T", v)
}

func (l *Leaf) bind(v any, own Slices, out []Bound) error {
	if !l.IsSlice() {
		return l.bindScalar(v, out)
	}
	if own != nil {
		if n, ok, err := own(l, v); ok || err != nil {
			out[l.First] = Bound{Slice: v, Leaf: l}
			out[l.First+1].Bits = uint64(n)
			return err
		}
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Slice || !sameLayout(l.Elem, r.Type().Elem()) {
		return fmt.Errorf("the argument is %s", describe(v))
	}
	n := r.Len()
	b := Bound{Slice: v, Leaf: l}
	if n > 0 && l.ElemBytes > 0 {
		b.Bytes = unsafe.Slice((*byte)(r.UnsafePointer()), n*l.ElemBytes)
	}
	out[l.First] = b
	out[l.First+1].Bits = uint64(n)
	return nil
}

// sameLayout reports whether values of a Go type are those of a checked type: kinds, fields and lengths agree.
func sameLayout(t types.Type, r reflect.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Name() == r.Kind().String() || u.Kind() == types.Uint8 && r.Kind() == reflect.Uint8 || u.Kind() == types.Int32 && r.Kind() == reflect.Int32
	case *types.Struct:
		if r.Kind() != reflect.Struct || r.NumField() != u.NumFields() {
			return false
		}
		for i := range u.NumFields() {
			if !sameLayout(u.Field(i).Type(), r.Field(i).Type) {
				return false
			}
		}
		return true
	case *types.Array:
		return r.Kind() == reflect.Array && int64(r.Len()) == u.Len() && sameLayout(u.Elem(), r.Elem())
	}
	return false
}

func (l *Leaf) bindScalar(v any, out []Bound) error {
	b := l.Type.Underlying().(*types.Basic)
	r := reflect.ValueOf(v)
	if k, ok := complexParts[b.Kind()]; ok {
		if !r.IsValid() || !r.CanComplex() {
			return fmt.Errorf("the argument is %s", describe(v))
		}
		var err error
		for i, x := range []float64{real(r.Complex()), imag(r.Complex())} {
			if out[l.First+i].Bits, err = floatBits(k, x); err != nil {
				return err
			}
		}
		return nil
	}
	k := basicTypes[b.Kind()]
	bits, err := scalarBits(k, r, v)
	out[l.First].Bits = bits
	return err
}

// ScalarBits returns the bits of a Go number or bool as a value of type k: the type of the number may be another one if
// k holds it; floats are rounded.
func ScalarBits(k kir.Type, v any) (uint64, error) { return scalarBits(k, reflect.ValueOf(v), v) }

// scalarBits is ScalarBits of v, which r reflects.
func scalarBits(k kir.Type, r reflect.Value, v any) (uint64, error) {
	wrong := func() (uint64, error) { return 0, fmt.Errorf("the argument is %s", describe(v)) }
	switch {
	case !r.IsValid():
		return wrong()
	case k == kir.Bool:
		if r.Kind() != reflect.Bool {
			return wrong()
		}
		if r.Bool() {
			return 1, nil
		}
		return 0, nil
	case k.IsFloat():
		switch {
		case r.CanFloat():
			return floatBits(k, r.Float())
		case r.CanInt():
			return floatBits(k, float64(r.Int()))
		case r.CanUint():
			return floatBits(k, float64(r.Uint()))
		}
		return wrong()
	}
	// Integers: what the type holds.
	lo, hi := int64(math.MinInt64), uint64(math.MaxInt64)
	width := 8 * k.Bytes()
	if k.IsSigned() {
		lo, hi = -1<<(width-1), 1<<(width-1)-1
	} else {
		lo, hi = 0, math.MaxUint64>>(64-width)
	}
	outside := func() (uint64, error) {
		return 0, fmt.Errorf("%v is not a number that it holds: %d to %d", v, lo, hi)
	}
	switch {
	case r.CanInt():
		if x := r.Int(); x < lo || x > 0 && uint64(x) > hi {
			return outside()
		}
		return uint64(r.Int()) & (math.MaxUint64 >> (64 - width)), nil
	case r.CanUint():
		if r.Uint() > hi {
			return outside()
		}
		return r.Uint(), nil
	case r.CanFloat():
		x := r.Float()
		if x != math.Trunc(x) || x < float64(lo) || x > float64(hi) || math.Abs(x) > 1<<53 {
			return outside()
		}
		return uint64(int64(x)) & (math.MaxUint64 >> (64 - width)), nil
	}
	return wrong()
}

// floatBits rounds x. A finite number that would become infinite is an error, as it is for Go's constants.
func floatBits(k kir.Type, x float64) (uint64, error) {
	if k != kir.F32 {
		return math.Float64bits(x), nil
	}
	if y := float32(x); !math.IsInf(float64(y), 0) || math.IsInf(x, 0) {
		return uint64(math.Float32bits(y)), nil
	}
	return 0, fmt.Errorf("%g is too large for a float32, which holds up to %g: declare the parameter float64, or pass float32(math.Inf(1)) if that is meant", x, math.MaxFloat32)
}
