package brook

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// maxAxes is how many axes a stream may have.
const maxAxes = 4

// Stream is elements of one type, numbers or structs and fixed arrays of them, with one to four axes, in the order of
// rows. Each number of an element is a lazy array of its own: what kernels do not need, they do not read.
type Stream struct {
	*form
	columns []*np.Array
	shape   []int      // of each column
	plan    *Plan      // of one that Reduce has made
	made    *made      // of one that Map has; nil where that is a launch of its own
	ran     *trace.Log // what the evaluation did that its methods asked for; nil before
}

// form is what elements of a type are made of.
type form struct {
	of      reflect.Type
	records *np.Records // without values; nil for numbers
	names   []string    // of the columns; one without a name for numbers
	dtypes  []np.DType
}

// dtypes are those of numbers.
var dtypes = map[reflect.Kind]np.DType{
	reflect.Bool: np.Bool, reflect.Int8: np.Int8, reflect.Int16: np.Int16, reflect.Int32: np.Int32, reflect.Int64: np.Int64, reflect.Int: np.Int64,
	reflect.Uint8: np.Uint8, reflect.Uint16: np.Uint16, reflect.Uint32: np.Uint32, reflect.Uint64: np.Uint64, reflect.Uint: np.Uint64,
	reflect.Float32: np.Float32, reflect.Float64: np.Float64,
}

// forms are those of types that have been asked for.
var forms sync.Map // of *form by reflect.Type

// formOf describes a type, or says why streams have no elements of it.
func formOf(op string, t reflect.Type) *form {
	if f, ok := forms.Load(t); ok {
		return f.(*form)
	}
	f := newForm(op, t)
	forms.Store(t, f)
	return f
}

func newForm(op string, t reflect.Type) *form {
	if d, ok := dtypes[t.Kind()]; ok {
		return &form{of: t, names: []string{""}, dtypes: []np.DType{d}}
	}
	if k := t.Kind(); k != reflect.Struct && k != reflect.Array {
		check(op, fmt.Errorf("the elements are of type %v; those of a stream are numbers, bools, and structs and fixed arrays of them", t))
	}
	r := np.RecordsOf(reflect.MakeSlice(reflect.SliceOf(t), 0, 0).Interface())
	f := &form{of: t, records: r, names: r.Names()}
	for _, c := range r.Columns() {
		f.dtypes = append(f.dtypes, c.DType())
	}
	return f
}

// Of makes a stream of a slice or a Go array: of numbers, which may lie in others for more axes, or of structs and
// fixed arrays of numbers. A lazy array is a stream of its elements without a copy. It panics with *Error on other
// types.
func Of(list any) *Stream {
	const op = "brook.Of"
	if s, ok := streamOf(op, list); ok {
		return s
	}
	check(op, fmt.Errorf("a %T is not a list; give a slice of numbers or structs, or an array", list))
	return nil
}

// streamOf is v as a stream, false for numbers and single structs.
func streamOf(op string, v any) (*Stream, bool) {
	switch v := v.(type) {
	case *Stream:
		if v == nil {
			check(op, fmt.Errorf("a stream is nil; was it never assigned?"))
		}
		return v, true
	case *np.Records:
		if v == nil {
			check(op, fmt.Errorf("the records are nil; were they never assigned?"))
		}
		return withColumns(op, formOf(op, v.Type()), v.Columns()), true
	case *np.Array:
		if v == nil {
			check(op, fmt.Errorf("an array is nil; was it never assigned?"))
		}
		return ofArray(op, v), v.NDim() > 0
	case *arrays.Array:
		return ofArray(op, np.FromArray(v)), v.NDim() > 0
	}
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() != reflect.Slice && r.Kind() != reflect.Array {
		return nil, false
	}
	elem := r.Type().Elem()
	for r.Kind() == reflect.Slice && elem.Kind() == reflect.Slice && numbersIn(elem) {
		elem = elem.Elem()
	}
	if _, ok := dtypes[elem.Kind()]; ok {
		a, _, err := arrays.AsArray(v)
		check(op, err)
		return withColumns(op, formOf(op, elem), []*np.Array{np.FromArray(a)}), true
	}
	records := np.RecordsOf(v)
	return withColumns(op, formOf(op, elem), records.Columns()), true
}

// numbersIn reports whether slices lie in each other down to numbers.
func numbersIn(t reflect.Type) bool {
	for t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	_, ok := dtypes[t.Kind()]
	return ok
}

// ofArray is a lazy array as a stream of numbers.
func ofArray(op string, a *np.Array) *Stream {
	if t := elementTypes[a.DType()]; t != nil {
		return withColumns(op, formOf(op, t), []*np.Array{a})
	}
	check(op, fmt.Errorf("the array has elements of %v; those of a stream are numbers that Go has, and bools: convert it with AsType", a.DType()))
	return nil
}

// numberTypes are the types of numbers by their kinds.
var numberTypes = func() map[reflect.Kind]reflect.Type {
	out := map[reflect.Kind]reflect.Type{}
	for _, v := range []any{false, int8(0), int16(0), int32(0), int64(0), uint8(0), uint16(0), uint32(0), uint64(0), float32(0), float64(0)} {
		out[reflect.TypeOf(v).Kind()] = reflect.TypeOf(v)
	}
	return out
}()

// elementTypes are the types of numbers by the dtypes of their arrays.
var elementTypes = func() map[np.DType]reflect.Type {
	out := map[np.DType]reflect.Type{}
	for k, t := range numberTypes {
		out[dtypes[k]] = t
	}
	return out
}()

func withColumns(op string, f *form, columns []*np.Array) *Stream {
	shape := columns[0].Shape()
	if n := len(shape); n > maxAxes {
		check(op, fmt.Errorf("a stream of shape %v has %d axes; streams have up to %d", shape, n, maxAxes))
	}
	return &Stream{form: f, columns: columns, shape: shape}
}

// Zeros makes a stream of zeros of a type, with one to four axes; [New] is the same with the type as an argument.
func Zeros(t reflect.Type, shape ...int) *Stream {
	const op = "brook.New"
	if t == nil {
		check(op, fmt.Errorf("there is no type"))
	}
	shape = shapeOf(op, shape)
	f := formOf(op, t)
	columns := make([]*np.Array, len(f.names))
	for k, d := range f.dtypes {
		columns[k] = np.Zeros(shape...).AsType(d)
	}
	return withColumns(op, f, columns)
}

// shapeOf refuses shapes that streams do not have.
func shapeOf(op string, shape []int) []int {
	if len(shape) == 0 || len(shape) > maxAxes {
		check(op, fmt.Errorf("the shape %v has %d axes; streams have 1 to %d", shape, len(shape), maxAxes))
	}
	for _, n := range shape {
		if n < 0 {
			check(op, fmt.Errorf("the shape is %v; sizes are 0 or more", shape))
		}
	}
	return slices.Clone(shape)
}

// Shape returns the sizes of the axes.
func (s *Stream) Shape() []int { return slices.Clone(s.shape) }

// Len returns how many elements there are.
func (s *Stream) Len() int { return s.columns[0].Size() }

// Type returns the type of the elements.
func (s *Stream) Type() reflect.Type { return s.of }

// Fields returns the names of the numbers of an element: X, O.X, V[0]. A stream of numbers has one, without a name.
func (s *Stream) Fields() []string { return slices.Clone(s.names) }

// Field returns the array of a number of the elements, without a copy: "TMax", "O.X"; of a stream of numbers "". Of a
// member that has several numbers, "O", it is an array with one axis more, along which those lie, which is a copy;
// [Stream.Member] is one without. It panics with *Error where there is no such member.
func (s *Stream) Field(name string) *np.Array {
	if k := slices.Index(s.names, name); k >= 0 {
		return s.columns[k]
	}
	var of []any
	for k, n := range s.names {
		if inMember(n, name) {
			of = append(of, s.columns[k])
		}
	}
	if of == nil {
		s.noField("brook.Field", name)
	}
	return np.Stack(np.Axis(-1), of...)
}

// inMember reports whether a number belongs to a member.
func inMember(number, member string) bool {
	rest, ok := strings.CutPrefix(number, member)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '[')
}

func (s *Stream) noField(op, name string) {
	check(op, fmt.Errorf("there is no field %q; elements of type %v have %q", name, s.of, s.names))
}

// Member returns a member of the elements, a field of a struct, as a stream of its own, without a copy. It panics with
// *Error where there is none.
func (s *Stream) Member(name string) *Stream {
	const op = "brook.Member"
	if s.of.Kind() == reflect.Struct {
		if f, ok := s.of.FieldByName(name); ok && len(f.Index) == 1 {
			var columns []*np.Array
			for k, n := range s.names {
				if n == name || inMember(n, name) {
					columns = append(columns, s.columns[k])
				}
			}
			return withColumns(op, formOf(op, f.Type), columns)
		}
	}
	s.noField(op, name)
	return nil
}

// Reshape returns the elements in another shape, in the same order.
func (s *Stream) Reshape(shape ...int) *Stream {
	return s.each("brook.Reshape", func(c *np.Array) *np.Array { return c.Reshape(shape...) })
}

// each makes a stream of what f makes of the columns.
func (s *Stream) each(op string, f func(c *np.Array) *np.Array) *Stream {
	columns := make([]*np.Array, len(s.columns))
	for k, c := range s.columns {
		columns[k] = f(c)
	}
	return withColumns(op, s.form, columns)
}

// Read gives a stream the elements that memory has, a slice of the stream's type, as many as the stream has: the
// streamRead of the paper. Streams and arrays that were made of the stream before keep what they had.
func Read(s *Stream, memory any) {
	const op = "brook.Read"
	from, ok := streamOf(op, memory)
	if s, _ = streamOf(op, s); !ok || from.of != s.of {
		check(op, fmt.Errorf("a stream of %v reads a []%v, not a %T", s.of, s.of, memory))
	}
	if from.Len() != s.Len() {
		check(op, fmt.Errorf("the memory has %d elements, the stream %d: shape %v", from.Len(), s.Len(), s.Shape()))
	}
	shape := s.Shape()
	for k, c := range from.columns {
		s.columns[k] = c.Reshape(shape...)
	}
}

// Write computes a stream, and returns its elements: a []T in an any, where T is the type of the elements; [Slice] has
// it without the any. It is the streamWrite of the paper.
func Write(s *Stream) any {
	s, _ = streamOf("brook.Write", s)
	s.Eval()
	flat := s.flat()
	if s.records != nil {
		return s.records.With(flat...).Slice()
	}
	like := reflect.Zero(numberTypes[numberKind(s.of)]).Interface()
	data := reflect.ValueOf(flat[0].DataLike(like))
	out := reflect.MakeSlice(reflect.SliceOf(s.of), data.Len(), data.Len())
	if s.of == data.Type().Elem() {
		reflect.Copy(out, data)
		return out.Interface()
	}
	for i := range data.Len() {
		out.Index(i).Set(data.Index(i).Convert(s.of))
	}
	return out.Interface()
}

// numberKind is the kind of a number with the size that arrays have of it.
func numberKind(t reflect.Type) reflect.Kind {
	switch k := t.Kind(); k {
	case reflect.Int:
		return reflect.Int64
	case reflect.Uint:
		return reflect.Uint64
	default:
		return k
	}
}

// flat are the columns with one axis.
func (s *Stream) flat() []*np.Array {
	out := make([]*np.Array, len(s.columns))
	for k, c := range s.columns {
		out[k] = c.Reshape(-1)
	}
	return out
}

// Eval computes the stream now.
func (s *Stream) Eval() *Stream {
	before := trace.Last()
	np.Eval(s.columns...)
	if log := trace.Last(); log != before {
		s.ran = log
	}
	return s
}

// String prints the elements as Go does, of many structs the first and the last three, and the shape where there are
// several axes.
func (s *Stream) String() string {
	if s == nil {
		return "<nil>"
	}
	s.Eval()
	warning := ""
	if s.plan != nil && s.plan.Warning != "" {
		warning = "\nwarning: " + s.plan.Warning
	}
	if s.records == nil {
		return s.columns[0].String() + warning
	}
	text := s.records.With(s.flat()...).String()
	if shape := s.Shape(); len(shape) > 1 {
		text = fmt.Sprintf("shape %v: %s", shape, text)
	}
	return text + warning
}

// Layout says how the members lie in memory: each number of the elements is an array of its own.
func (s *Stream) Layout() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v, shape %v: %s, row by row\n", s.of, s.Shape(), count(len(s.columns), "array"))
	for k, n := range s.names {
		if n == "" {
			n = "the numbers"
		}
		fmt.Fprintf(&b, "  %-12s %-8v %d bytes, element i at byte %di\n", n, s.dtypes[k], s.Len()*s.dtypes[k].Size(), s.dtypes[k].Size())
	}
	return b.String()
}
