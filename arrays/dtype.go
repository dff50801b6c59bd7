package arrays

import (
	"fmt"
	"strconv"
)

// DType is the type of an array's elements. Those of numbers are the constants below; [Str] makes those of strings of
// one width, [StringDType] is that of strings of any, [DateTime] and [TimeDelta] make those of dates and of spans
// between them. Dtypes compare with ==. Their numbers are not stable across versions; names are.
type DType uint32 // a class in the low byte, above it the characters of a string or the unit of a date

// The dtypes of numbers. A bool is one byte, 0 or 1; a Float16 is kept in two bytes and computed with as Float32,
// rounded after each operation; complex numbers are pairs of floats.
const (
	Bool DType = iota
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float16
	Float32
	Float64
	Complex64
	Complex128
	numDTypes = iota // dtypes of numbers

	classString    = DType(iota - 1)
	classDateTime  = DType(iota - 1)
	classTimeDelta = DType(iota - 1)

	// StringDType is the dtype of strings of any length, NumPy's StringDType(): an element takes 16 bytes and those of
	// its text, so that one long text among many short ones costs no more than it has. Elements are Go strings: an
	// array shares the texts that it was made of, and elements that are equal may be one text in memory. They compare
	// and sort by their characters, as those of [Str] do. An empty text is what stands for a missing one, as everywhere
	// here; NumPy's na_object is not needed for that.
	//
	// FromSlice and the readers of files choose it where an array of [Str] would take more than 32 MB and 16 times as
	// much, or would have a text of more than a million characters; AsType converts either way. Elements have no bytes
	// of their own: Bytes, FromBytes and kernels refuse them, all else runs on the CPU.
	StringDType = DType(iota - 1)
	numClasses  = iota - 1
)

// Kind groups dtypes by what they can represent; those of numbers are in the order in which promotion climbs.
type Kind uint8

// The kinds. KindInt is of integers with and without a sign, KindTime of dates and of spans between them.
const (
	KindBool Kind = iota
	KindInt
	KindFloat
	KindComplex
	KindString
	KindTime
)

// dtypes is the one table of dtypes: NumPy's name, Go's, bytes an element (of a character for strings), kind.
var dtypes = [numClasses]struct {
	name, goName string
	size         int
	kind         Kind
}{
	Bool:           {"bool", "Bool", 1, KindBool},
	Int8:           {"int8", "Int8", 1, KindInt},
	Int16:          {"int16", "Int16", 2, KindInt},
	Int32:          {"int32", "Int32", 4, KindInt},
	Int64:          {"int64", "Int64", 8, KindInt},
	Uint8:          {"uint8", "Uint8", 1, KindInt},
	Uint16:         {"uint16", "Uint16", 2, KindInt},
	Uint32:         {"uint32", "Uint32", 4, KindInt},
	Uint64:         {"uint64", "Uint64", 8, KindInt},
	Float16:        {"float16", "Float16", 2, KindFloat},
	Float32:        {"float32", "Float32", 4, KindFloat},
	Float64:        {"float64", "Float64", 8, KindFloat},
	Complex64:      {"complex64", "Complex64", 8, KindComplex},
	Complex128:     {"complex128", "Complex128", 16, KindComplex},
	classString:    {"<U", "Str", 4, KindString},
	classDateTime:  {"datetime64", "DateTime", 8, KindTime},
	classTimeDelta: {"timedelta64", "TimeDelta", 8, KindTime},
	StringDType:    {"StringDType()", "StringDType", textSize, KindString},
}

// class is the row of d in tables.
func (d DType) class() DType { return d & 0xff }

// maxChars is the longest string that a dtype holds.
const maxChars = 1 << 20

// Str returns the dtype of strings of up to n characters, NumPy's <Un: four bytes each, shorter ones are filled up with
// zeros. Str(0) is for AsType: as many characters as are needed. It panics with *Error when n is negative or beyond a
// million.
func Str(n int) DType {
	if n < 0 || n > maxChars {
		check("str", &Error{Msg: fmt.Sprintf("strings of %d characters cannot be kept in an array; use 0 to %d", n, maxChars)})
	}
	return classString | DType(n)<<8
}

// DateTime returns the dtype of dates and times of day, counted in the given unit from the start of 1970, without time
// zones and leap seconds: NumPy's datetime64[unit]. One value, NaT, is not a time.
func DateTime(u Unit) DType { return classDateTime | DType(u)<<8 }

// TimeDelta returns the dtype of spans between dates, counted in the given unit: NumPy's timedelta64[unit].
func TimeDelta(u Unit) DType { return classTimeDelta | DType(u)<<8 }

// chars is the number of characters of a dtype of strings of one width.
func (d DType) chars() int { return int(d >> 8) }

// unit is that of a dtype of dates or spans.
func (d DType) unit() Unit { return Unit(d >> 8) }

// valid reports whether d is a dtype.
func (d DType) valid() bool {
	switch c := d.class(); {
	case c < numDTypes:
		return d == c
	case c == classString:
		return d.chars() <= maxChars
	case c == StringDType:
		return d == StringDType
	}
	return d.class() < numClasses && d>>8 < numUnits
}

// String returns NumPy's name of d, as "float64", "<U5" or "datetime64[D]".
func (d DType) String() string {
	switch {
	case !d.valid():
		return "dtype(" + strconv.Itoa(int(d)) + ")"
	case d.class() == classString:
		return "<U" + strconv.Itoa(d.chars())
	case d.Kind() == KindTime:
		return dtypes[d.class()].name + "[" + d.unit().symbol() + "]"
	}
	return dtypes[d].name
}

// expression is what Go code calls d.
func (d DType) expression() string {
	name := dtypes[d.class()].goName
	switch {
	case d.class() == classString:
		return fmt.Sprintf("%s(%d)", name, d.chars())
	case d.IsTime():
		return fmt.Sprintf("%s(%v)", name, d.unit())
	}
	return name
}

// Size returns the bytes of one element.
func (d DType) Size() int {
	if d.class() == classString {
		return 4 * d.chars()
	}
	return dtypes[d.class()].size
}

// align is the number of bytes of which the address of an element is a multiple.
func (d DType) align() int { return min(dtypes[d.class()].size, 8) }

// Kind returns the kind of d.
func (d DType) Kind() Kind { return dtypes[d.class()].kind }

// IsBool reports whether d is Bool.
func (d DType) IsBool() bool { return d == Bool }

// IsInt reports whether d is an integer dtype, with or without a sign; Bool is not.
func (d DType) IsInt() bool { return d.Kind() == KindInt }

// IsUnsigned reports whether d is an integer dtype without a sign.
func (d DType) IsUnsigned() bool { return d >= Uint8 && d <= Uint64 }

// IsFloat reports whether d is a dtype of real floating-point numbers.
func (d DType) IsFloat() bool { return d.Kind() == KindFloat }

// IsComplex reports whether d is a dtype of complex numbers.
func (d DType) IsComplex() bool { return d.Kind() == KindComplex }

// IsInexact reports whether d is a dtype of floating-point numbers, real or complex.
func (d DType) IsInexact() bool { return d.IsFloat() || d.IsComplex() }

// IsNumber reports whether d is a dtype of numbers, bools among them.
func (d DType) IsNumber() bool { return d < numDTypes }

// IsString reports whether d is a dtype of strings, of one width or of any.
func (d DType) IsString() bool { return d.Kind() == KindString }

// IsTime reports whether d is a dtype of dates or of spans between them.
func (d DType) IsTime() bool { return d.Kind() == KindTime }

// isDate and isSpan tell the two apart.
func (d DType) isDate() bool { return d.class() == classDateTime }
func (d DType) isSpan() bool { return d.class() == classTimeDelta }
