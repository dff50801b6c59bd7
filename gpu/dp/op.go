package dp

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/scan"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Operator is an associative operator on numbers, or on records: op(op(a, b), c) is op(a, op(b, c)). It need not be
// commutative, for operands keep their order everywhere.
type Operator struct {
	name     string
	op       kir.Op        // of those below
	first    bool          // the left operand is the result
	f        *gosrc.Func   // that was given, and its code
	inline   *gosrc.Inline // nil of those below
	dtype    np.DType      // of the function's numbers
	identity any           // that was given; nil for none

	texts func(a, b string) string // the function itself, of texts; nil of others

	combiner     *gosrc.Combiner // the code of a function of records; nil of others
	identityBits []uint64        // of its numbers

	built func(b *kir.Builder, x, y *kir.Value) *kir.Value // the code of an operator of this package on numbers of dtype
}

// The operators of numbers, on the dtype that an array has. Sums and products of ints wrap; a maximum or minimum is NaN
// where an operand is. Of bools Sum and Max are or, Prod and Min are and. And, Or and Xor are for ints and bools.
var (
	Sum  = &Operator{name: "sum", op: kir.OpAdd}
	Prod = &Operator{name: "prod", op: kir.OpMul}
	Max  = &Operator{name: "max", op: kir.OpMax}
	Min  = &Operator{name: "min", op: kir.OpMin}
	And  = &Operator{name: "and", op: kir.OpAnd}
	Or   = &Operator{name: "or", op: kir.OpOr}
	Xor  = &Operator{name: "xor", op: kir.OpXor}
)

// Op makes an operator of a Go function of two numbers of one type, or of two structs or fixed arrays of numbers, for
// [ScanRecords]: func(a, b T) T, which is compiled into the kernels. A function of two strings is called by the CPU.
// It must be associative, which [CheckOp] looks at, and is also called with combinations of elements that nobody has
// asked for. identity is what leaves every element as it is; exclusive scans and reductions of empty segments need it.
// Op panics with *np.Error when the function cannot be compiled.
func Op(f any, identity ...any) *Operator {
	if combine, is := f.(func(a, b string) string); is { // of a program
		name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
		return textOp(name[strings.LastIndex(name, ".")+1:], combine, identity)
	}
	fn, err := gosrc.FuncOf(f)
	check("dp.Op", err)
	if combine, is := fn.Value.(func(a, b string) string); is {
		return textOp(fn.Name, combine, identity)
	}
	combiner, err := fn.Combiner()
	if err != nil {
		panic(err) // it says where
	}
	if combiner != nil {
		return recordOp(fn, combiner, identity)
	}
	inline, err := fn.Inline()
	if err != nil {
		panic(err) // it says where
	}
	fail := func(format string, args ...any) { check(inline.Name, fmt.Errorf(format, args...)) }
	if len(inline.Params) != 2 || inline.Params[0] != inline.Params[1] || inline.Params[0] != inline.Result {
		fail("an operator is a func(a, b T) T; this one takes %v and returns %v", inline.Params, inline.Result)
	}
	o := &Operator{name: inline.Name, f: fn, inline: inline}
	known := false
	for d, t := range kirTypes {
		if t == inline.Result {
			o.dtype, known = d, true
		}
	}
	if !known {
		fail("no array has elements of type %v", inline.Result)
	}
	switch len(identity) {
	case 0:
	case 1:
		o.identity = identity[0]
		o.bits(o.dtype) // it fits
	default:
		fail("an operator has one identity, not %d", len(identity))
	}
	return o
}

// recordOp makes an operator of a function of records.
func recordOp(fn *gosrc.Func, c *gosrc.Combiner, identity []any) *Operator {
	o := &Operator{name: c.Name, f: fn, combiner: c}
	if len(identity) == 0 {
		return o
	}
	if len(identity) > 1 {
		check(c.Name, fmt.Errorf("an operator has one identity, not %d", len(identity)))
	}
	one := np.RecordsOf(listOf(identity[0]))
	o.onRecords(c.Name, one) // it is of the function's type
	o.identity = identity[0]
	for _, column := range one.Columns() {
		var bits uint64
		for i, b := range column.Array().Bytes() {
			bits |= uint64(b) << (8 * i)
		}
		o.identityBits = append(o.identityBits, bits)
	}
	return o
}

// listOf is a list of the one value.
func listOf(v any) any {
	r := reflect.ValueOf(v)
	if !r.IsValid() {
		return nil
	}
	list := reflect.MakeSlice(reflect.SliceOf(r.Type()), 1, 1)
	list.Index(0).Set(r)
	return list.Interface()
}

// String returns the operator's name.
func (o *Operator) String() string { return o.name }

func check(op string, err error) {
	if err == nil {
		return
	}
	panic(&np.Error{Op: op, Msg: err.Error()})
}

// kirTypes are the element types in kernels.
var kirTypes = map[np.DType]kir.Type{
	np.Bool: kir.Bool, np.Int8: kir.I8, np.Int16: kir.I16, np.Int32: kir.I32, np.Int64: kir.I64,
	np.Uint8: kir.U8, np.Uint16: kir.U16, np.Uint32: kir.U32, np.Uint64: kir.U64,
	np.Float16: kir.F16, np.Float32: kir.F32, np.Float64: kir.F64,
}

// on returns o for elements of d, and the dtype that they are converted to.
func (o *Operator) on(op string, d np.DType) (scan.Op, np.DType) {
	if o == nil {
		check(op, fmt.Errorf("the operator is nil; was it never assigned?"))
	}
	if o.combiner != nil {
		check(op, fmt.Errorf("%s combines records, not numbers: np.RecordsOf makes them of a slice, for dp.ScanRecords", o.name))
	}
	if o.texts != nil {
		check(op, fmt.Errorf("%s combines texts, not numbers: dp.Scan, ScanEx, SegScan, SegScanEx and SegReduce take them", o.name))
	}
	t, ok := kirTypes[d]
	if !ok {
		check(op, fmt.Errorf("there are no kernels for elements of %v", d))
	}
	if o.inline != nil {
		if arrays.Promote(d, o.dtype) != o.dtype {
			check(op, fmt.Errorf("the array has elements of %v, the function %s takes %v: convert it with AsType", d, o.name, o.dtype))
		}
		t = kirTypes[o.dtype]
		s := scan.Op{Name: o.name, State: []kir.Type{t}}
		if o.identity != nil {
			s.Identity = []uint64{o.bits(o.dtype)}
		}
		s.Combine = func(b *kir.Builder, x, y []*kir.Value) []*kir.Value {
			v, err := o.inline.Emit(b, x[0], y[0])
			check(o.name, err) // it has been compiled before
			return []*kir.Value{v}
		}
		return s, o.dtype
	}
	if o.built != nil {
		t = kirTypes[o.dtype]
		return scan.Op{Name: o.name, State: []kir.Type{t}, Identity: o.identityBits, Combine: func(b *kir.Builder, x, y []*kir.Value) []*kir.Value {
			return []*kir.Value{o.built(b, x[0], y[0])}
		}}, o.dtype
	}
	if o.first {
		left := func(_ *kir.Builder, x, _ []*kir.Value) []*kir.Value { return x }
		if t == kir.F16 {
			t = kir.F32
		}
		return scan.Op{Name: o.name, State: []kir.Type{t}, Combine: left}, d
	}
	if bits := o.op == kir.OpAnd || o.op == kir.OpOr || o.op == kir.OpXor; bits && t.IsFloat() {
		check(op, fmt.Errorf("%s is an operator of bits, which elements of %v are not combined by", o.name, d))
	}
	if t == kir.F16 {
		t = kir.F32
	}
	return scan.Binary(o.op, t), d
}

// bits are those of the identity that was given, as a number of d.
func (o *Operator) bits(d np.DType) uint64 {
	a, _, err := arrays.AsArray(o.identity)
	check(o.name, err)
	if a.NDim() != 0 {
		check(o.name, fmt.Errorf("the identity has shape %v; give a number", a.Shape()))
	}
	exact := a.AsType(d)
	if !exact.AsType(a.DType()).Equal(a).Item().(bool) && !(a.DType().IsFloat() && math.IsNaN(a.AsType(np.Float64).Item().(float64))) {
		check(o.name, fmt.Errorf("the identity %v is not a number of %v", o.identity, d))
	}
	var bits uint64
	for i, b := range exact.Bytes() {
		bits |= uint64(b) << (8 * i)
	}
	return bits
}
