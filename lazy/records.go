package lazy

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Records is a list of Go values of several numbers, structs or fixed arrays, as lazy arrays: one for each number,
// which holds that of all values. Kernels read the columns that they need.
type Records struct {
	of      reflect.Type
	leaves  []recordLeaf
	columns []*Array
}

// recordLeaf is a number of a value.
type recordLeaf struct {
	name  string
	dtype DType
	off   uintptr
}

// RecordsOf makes records of a slice or an array of structs or fixed arrays, which may lie in each other, of numbers
// and bools. The columns are copies. It panics with *Error on other types: pointers, strings, slices and the like have
// no place in kernels.
func RecordsOf(list any) *Records {
	const op = "records"
	v := reflect.ValueOf(list)
	if !v.IsValid() || v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		check(op, &Error{Msg: fmt.Sprintf("%s is not a list; give a slice of structs or of arrays of numbers", brief.Type(list))})
	}
	r := &Records{of: v.Type().Elem()}
	if k := r.of.Kind(); k != reflect.Struct && k != reflect.Array {
		check(op, &Error{Msg: fmt.Sprintf("the elements are of type %v; give structs or arrays of numbers, or np.FromSlice the numbers", r.of)})
	}
	r.add(op, r.of, "", 0)
	if len(r.leaves) == 0 {
		check(op, &Error{Msg: fmt.Sprintf("the type %v has no numbers", r.of)})
	}
	n, size := v.Len(), r.of.Size()
	copied := reflect.MakeSlice(reflect.SliceOf(r.of), n, n) // lies in memory, and has no holes that others write to
	reflect.Copy(copied, v)
	memory := unsafe.Slice((*byte)(copied.UnsafePointer()), uintptr(n)*size)
	for _, l := range r.leaves {
		bytes := make([]byte, n*l.dtype.Size())
		for i := range n {
			copy(bytes[i*l.dtype.Size():], memory[uintptr(i)*size+l.off:][:l.dtype.Size()])
		}
		r.columns = append(r.columns, FromArray(arrays.FromBytes(l.dtype, []int{n}, bytes)))
	}
	return r
}

// recordDTypes are those of Go's numbers.
var recordDTypes = map[reflect.Kind]DType{
	reflect.Bool: Bool, reflect.Int8: Int8, reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64, reflect.Int: Int64,
	reflect.Uint8: Uint8, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64, reflect.Uint: Uint64,
	reflect.Float32: Float32, reflect.Float64: Float64,
}

// add adds the numbers of a value of type t that is called name.
func (r *Records) add(op string, t reflect.Type, name string, off uintptr) {
	const most = 64 // as functions in kernels handle in one value
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f, dot := t.Field(i), "."
			if name == "" {
				dot = ""
			}
			r.add(op, f.Type, name+dot+f.Name, off+f.Offset)
		}
		return
	case reflect.Array:
		for i := range min(t.Len(), most+1) {
			r.add(op, t.Elem(), fmt.Sprintf("%s[%d]", name, i), off+uintptr(i)*t.Elem().Size())
		}
		return
	}
	d, ok := recordDTypes[t.Kind()]
	switch {
	case !ok:
		check(op, &Error{Msg: fmt.Sprintf("%s of %v is of type %v; records have numbers and bools: keep it in a slice of its own", name, r.of, t)})
	case len(r.leaves) == most:
		check(op, &Error{Msg: fmt.Sprintf("the type %v has more than %d numbers", r.of, most)})
	}
	r.leaves = append(r.leaves, recordLeaf{name, d, off})
}

// Len returns how many values there are.
func (r *Records) Len() int { return r.columns[0].Len() }

// Type returns the type of the values.
func (r *Records) Type() reflect.Type { return r.of }

// Names returns the names of the columns: A, B, Pos.X, [0].
func (r *Records) Names() []string {
	out := make([]string, len(r.leaves))
	for i, l := range r.leaves {
		out[i] = l.name
	}
	return out
}

// Columns returns the columns, in the order of a value's memory.
func (r *Records) Columns() []*Array { return slices.Clone(r.columns) }

// Offsets returns where each column's number lies in a value, in bytes.
func (r *Records) Offsets() []int {
	out := make([]int, len(r.leaves))
	for i, l := range r.leaves {
		out[i] = int(l.off)
	}
	return out
}

// Column returns the column of that name. It panics with *Error where there is none.
func (r *Records) Column(name string) *Array {
	for i, l := range r.leaves {
		if l.name == name {
			return r.columns[i]
		}
	}
	check("column", &Error{Msg: fmt.Sprintf("there is no column %q; %v has %q", name, r.of, r.Names())})
	return nil
}

// With returns records of the same type with other columns, lists of one length and of the dtypes that the type has. It
// panics with *Error on others.
func (r *Records) With(columns ...*Array) *Records {
	const op = "records"
	if len(columns) != len(r.leaves) {
		check(op, &Error{Msg: fmt.Sprintf("%d columns are given; %v has %d", len(columns), r.of, len(r.leaves))})
	}
	for i, c := range columns {
		if c == nil || c.NDim() != 1 || c.Len() != columns[0].Len() || c.DType() != r.leaves[i].dtype {
			check(op, &Error{Msg: fmt.Sprintf("column %s must be a list of %v, as long as the others", r.leaves[i].name, r.leaves[i].dtype)})
		}
	}
	return &Records{r.of, r.leaves, slices.Clone(columns)}
}

// Slice computes the columns, and returns the values: a []T in an any, where T is the type that the records have.
func (r *Records) Slice() any {
	n, size := r.Len(), r.of.Size()
	out := reflect.MakeSlice(reflect.SliceOf(r.of), n, n)
	Eval(r.columns...)
	memory := unsafe.Slice((*byte)(out.UnsafePointer()), uintptr(n)*size)
	for k, l := range r.leaves {
		bytes, width := r.columns[k].Array().Copy().Bytes(), l.dtype.Size()
		for i := range n {
			copy(memory[uintptr(i)*size+l.off:], bytes[i*width:(i+1)*width])
		}
	}
	return out.Interface()
}

// At computes the columns, and returns value i; -1 is the last. It panics with *Error where there is none.
func (r *Records) At(i int) any {
	columns := make([]*Array, len(r.columns))
	for k, c := range r.columns {
		columns[k] = c.At(i).Reshape(1)
	}
	one := &Records{r.of, r.leaves, columns}
	return reflect.ValueOf(one.Slice()).Index(0).Interface()
}

// String prints the values as Go does, of many the first and the last three.
func (r *Records) String() string {
	const shown = 3
	n := r.Len()
	if n <= 2*shown+1 {
		return fmt.Sprint(r.Slice())
	}
	part := func(from, to int) string {
		columns := make([]*Array, len(r.columns))
		for k, c := range r.columns {
			columns[k] = c.At(S(from, to))
		}
		return fmt.Sprint((&Records{r.of, r.leaves, columns}).Slice())
	}
	first, last := part(0, shown), part(n-shown, n)
	return first[:len(first)-1] + " ... " + last[1:]
}
