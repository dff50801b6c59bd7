package goerror

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"github.com/goplus/reflectx"
	"golang.org/x/tools/go/ssa"
)

// Bound is which index or bound is too large, and for what.
type Bound int

// The runtime's own kinds.
const (
	Index Bound = iota
	SliceLength
	SliceCapacity
	SliceLow
	Slice3Length
	Slice3Capacity
	Slice3High
	Slice3Low
	Convert // of a slice to an array
)

var one = make([]struct{}, 1)

// bounds are the texts, with something that panics so.
var bounds = [...]struct {
	text string
	fail func()
}{
	Index:          {"index out of range [%d] with length %d", func() { _ = one[zero+1] }},
	SliceLength:    {"slice bounds out of range [:%d] with length %d", func() { _ = ""[:zero+1] }},
	SliceCapacity:  {"slice bounds out of range [:%d] with capacity %d", func() { _ = one[:zero+2] }},
	SliceLow:       {"slice bounds out of range [%d:%d]", func() { _ = one[zero+1 : zero] }},
	Slice3Length:   {"slice bounds out of range [::%d] with length %d", func() { _ = new([1]struct{})[: 0 : zero+2] }},
	Slice3Capacity: {"slice bounds out of range [::%d] with capacity %d", func() { _ = one[: zero : zero+2] }},
	Slice3High:     {"slice bounds out of range [:%d:%d]", func() { _ = one[: zero+1 : zero] }},
	Slice3Low:      {"slice bounds out of range [%d:%d:]", func() { _ = one[zero+1 : zero : 1] }},
	Convert:        {"cannot convert slice with length %[2]d to array or pointer to array with length %[1]d", func() { _ = [2]struct{}(one) }},
}

// OutOfRange is the error of x, which is too large for limit, or negative. An x that is not signed and larger than an
// int64 comes as the negative number of the same bits.
func OutOfRange(b Bound, x int64, signed bool, limit int) error {
	like := reflect.ValueOf(recovered(bounds[b].fail))
	v := reflect.New(like.Type()).Elem()
	v.Set(like)
	set := func(name string, value any) bool {
		if v.Kind() != reflect.Struct {
			return false
		}
		f := v.FieldByName(name)
		if !f.IsValid() || f.Type() != reflect.TypeOf(value) {
			return false
		}
		reflectx.CanSet(f).Set(reflect.ValueOf(value))
		return true
	}
	if set("x", x) && set("y", limit) && set("signed", signed) {
		return v.Interface().(error)
	}
	number := any(x) // this version of Go keeps them otherwise
	if !signed {
		number = uint64(x)
	}
	return Text(fmt.Sprintf(bounds[b].text, number, limit))
}

// ReadConvert reads the two lengths in the text of a conversion to an array.
func ReadConvert(text string) (array, slice int, ok bool) {
	form := strings.NewReplacer("%[1]d", "%d", "%[2]d", "%d").Replace(bounds[Convert].text)
	n, _ := fmt.Sscanf(text, form, &slice, &array)
	return array, slice, n == 2
}

// IndexOutOfRange is the error of an instruction that indexes something of so many elements.
func IndexOutOfRange(in ssa.Instruction, i int64, length int) error {
	return OutOfRange(Index, i, !UnsignedIndex(in), length)
}

// UnsignedIndex reports whether in indexes with a number that has no sign.
func UnsignedIndex(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.IndexAddr:
		return isUnsigned(in.Index)
	case *ssa.Index:
		return isUnsigned(in.Index)
	case *ssa.Lookup:
		return isUnsigned(in.Index)
	}
	return false
}

func isUnsigned(v ssa.Value) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// Slice is the error of a slice expression, nil when its bounds are right. Bounds that are not written are those that
// Go takes for them: 0, the length, the capacity.
func Slice(in *ssa.Slice, lo, hi, most int64, length, capacity int) error {
	if alloc, ok := in.X.(*ssa.Alloc); ok && alloc.Comment == "makeslice" { // make with a capacity that is a constant
		switch {
		case hi < 0:
			return Text("makeslice: len out of range")
		case hi > most:
			return Text("makeslice: cap out of range")
		}
		return nil
	}
	// As numbers without a sign, the negative ones are too large.
	tooLarge := func(n, limit int64) bool { return uint64(n) > uint64(limit) }
	if in.Max != nil && tooLarge(most, int64(capacity)) {
		kind := Slice3Length
		if isSlice(in.X) {
			kind = Slice3Capacity
		}
		return OutOfRange(kind, most, !isUnsigned(in.Max), capacity)
	}
	if in.High != nil && tooLarge(hi, most) {
		kind := SliceLength
		switch {
		case in.Max != nil:
			kind = Slice3High
		case isSlice(in.X):
			kind = SliceCapacity
		}
		return OutOfRange(kind, hi, !isUnsigned(in.High), int(most))
	}
	if in.Low != nil && tooLarge(lo, hi) {
		kind := SliceLow
		if in.Max != nil {
			kind = Slice3Low
		}
		return OutOfRange(kind, lo, !isUnsigned(in.Low), int(hi))
	}
	return nil
}

func isSlice(v ssa.Value) bool { _, ok := v.Type().Underlying().(*types.Slice); return ok }
