package arrays_test

import (
	"bytes"
	"fmt"
	"time"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// Methods that say what an array is, and that give its elements to Go.

func ExampleArray_Shape() {
	m := np.Zeros(2, 3)
	fmt.Println(m.Shape(), m.Sum().Shape())
	// Output: [2 3] []
}

func ExampleArray_NDim() {
	m := np.Zeros(2, 3)
	fmt.Println(m.NDim(), m.At(0).NDim(), m.Sum().NDim())
	// Output: 2 1 0
}

func ExampleArray_Size() {
	fmt.Println(np.Zeros(2, 3).Size(), np.Zeros(2, 0).Size(), np.Scalar(5).Size())
	// Output: 6 0 1
}

// Len is the number of rows, Size that of all elements.
func ExampleArray_Len() {
	m := np.Zeros(2, 3)
	fmt.Println(m.Len(), m.T().Len(), m.Size())
	// Output: 2 3 6
}

// The Go type of the elements chooses the dtype.
func ExampleArray_DType() {
	fmt.Println(np.FromSlice([]int{1}).DType(), np.FromSlice([]float32{1}).DType(), np.FromSlice([]string{"abc"}).DType())
	fmt.Println(np.FromSlice([]int{1}).Div(2).DType(), np.FromSlice([]float32{1}).Mul(0.5).DType())
	// Output:
	// int64 float32 <U3
	// float64 float32
}

func ExampleArray_NBytes() {
	x := np.Zeros(1000)
	fmt.Println(x.NBytes(), x.AsType(np.Float32).NBytes(), x.Gt(0).NBytes())
	// Output: 8000 4000 1000
}

// What asks for this method takes everything that gives an array: this package's arrays and those of package lazy.
func ExampleArray_Array() {
	total := func(x interface{ Array() *np.Array }) float64 { return x.Array().Sum().Float64() }
	fmt.Println(total(np.FromSlice([]float64{1, 2.5})))
	// Output: 3.5
}

// The verb %#v writes what NumPy's repr does, %v its str.
func ExampleArray_GoString() {
	x := np.FromSlice([]float32{1, 2.5})
	fmt.Printf("%v %#v\n", x, x)
	fmt.Printf("%#v\n", np.Zeros(0, 3))
	// Output:
	// [1.  2.5] array([1. , 2.5], dtype=float32)
	// array([], shape=(0, 3), dtype=float64)
}

// The Go value that fits the dtype.
func ExampleArray_Item() {
	for _, x := range []*np.Array{np.Arange(5).Max(), np.Linspace(0, 1, 3).At(1), np.Arange(5).Gt(3).Any(), np.FromSlice([]string{"text"})} {
		fmt.Printf("%T %[1]v\n", x.Item())
	}
	// Output:
	// int64 4
	// float64 0.5
	// bool true
	// string text
}

// One element is a condition; of several, say All or Any first.
func ExampleArray_Bool() {
	x, y := np.Arange(3), np.FromSlice([]int{0, 1, 5})
	if x.Le(y).All().Bool() {
		fmt.Println("nowhere larger")
	}
	// Output: nowhere larger
}

func ExampleArray_Int() {
	x := np.FromSlice([]float64{2.5, 9.75})
	fmt.Println(x.ArgMax().Int(), x.Max().Int()) // a fraction is lost
	// Output: 1 9
}

func ExampleArray_Uint64() {
	sums := np.FromSlice([]uint64{1 << 63, 5})
	fmt.Println(sums.Sum().Uint64())
	// Output: 9223372036854775813
}

func ExampleArray_Float64() {
	m := np.From2D([][]int{{1, 2}, {3, 4}})
	fmt.Println(m.Float64(1, 0), m.Float64(-1, -1), m.Mean().Float64())
	// Output: 3 4 2.5
}

func ExampleArray_Complex128() {
	z := np.FromSlice([]complex64{1 + 2i, 3i})
	fmt.Println(z.Prod().Complex128(), np.Scalar(2).Complex128())
	// Output: (-6+3i) (2+0i)
}

func ExampleArray_Bools() {
	for i, late := range np.FromSlice([]int{3, 0, 5}).Gt(2).Bools() {
		fmt.Print(i, late, " ")
	}
	// Output: 0 true 1 false 2 true
}

// Columns one after the other: the elements are those in C order of what is asked.
func ExampleArray_Float64s() {
	m := np.From2D([][]float64{{1, 2}, {3, 4.5}})
	fmt.Println(m.Float64s(), m.T().Float64s())
	// Output: [1 2 3 4.5] [1 3 2 4.5]
}

// Digits beyond those of a float32 are rounded away.
func ExampleArray_Float32s() {
	fmt.Println(np.FromSlice([]float64{0.1, 16777217}).Float32s())
	// Output: [0.1 1.6777216e+07]
}

func ExampleArray_Complex128s() {
	fmt.Println(np.FromSlice([]float64{1, 2.5}).Complex128s())
	// Output: [(1+0i) (2.5+0i)]
}

func ExampleArray_Ints() {
	order := np.FromSlice([]float64{0.5, 0.1, 0.9}).ArgSort().Ints()
	names := []string{"b", "a", "c"}
	for _, i := range order {
		fmt.Print(names[i], " ")
	}
	// Output: a b c
}

// Dates count their unit: days since 1970 here.
func ExampleArray_Int64s() {
	days := np.FromSlice([]string{"1970-01-02", "2024-02-29"}).AsType(np.DateTime(np.Day))
	fmt.Println(days.Int64s())
	// Output: [1 19782]
}

// Samples of sound, as a WAV file holds them.
func ExampleArray_Int16s() {
	wave := np.FromSlice([]float64{0, 0.5, -1})
	fmt.Println(wave.Mul(32767).AsType(np.Int16).Int16s())
	// Output: [0 16383 -32767]
}

// Ints of another width, where all fit.
func ExampleArray_Int32s() {
	places := np.NonZero([]float64{0, 0.5, 0, 2})[0]
	fmt.Println(places.DType(), places.Int32s())
	// Output: int64 [1 3]
}

// An element that does not fit is an error, and never another number.
func ExampleArray_Int8s() {
	defer func() { fmt.Println(recover()) }()
	fmt.Println(np.FromSlice([]int{-128, 127}).Int8s())
	fmt.Println(np.FromSlice([]int{0, 128}).Int8s())
	// Output:
	// [-128 127]
	// values: element 1 is 128, which no int8 holds (-128 to 127); AsType(Int8) would cut it
}

// Shades of grey, rounded before they are bytes.
func ExampleArray_Uint8s() {
	grey := np.Linspace(0, 1, 5).Mul(255).Rint().AsType(np.Uint8)
	fmt.Println(grey.Uint8s())
	// Output: [0 64 128 191 255]
}

// Metres as the millimetres of a depth camera.
func ExampleArray_Uint16s() {
	depth := np.FromSlice([]float64{0.5, 1.25})
	fmt.Println(depth.Mul(1000).AsType(np.Uint16).Uint16s())
	// Output: [500 1250]
}

func ExampleArray_Uint32s() {
	colours := np.FromSlice([]uint32{0xff0000, 0x00ff00})
	fmt.Printf("%06x\n", colours.BitOr(0x0000ff).Uint32s())
	// Output: [ff00ff 00ffff]
}

func ExampleArray_Uint64s() {
	fmt.Println(np.FromSlice([]uint64{0}).Sub(1).Uint64s()) // wraps, as in Go
	// Output: [18446744073709551615]
}

func ExampleArray_Strings() {
	fmt.Printf("%q\n", np.FromSlice([]string{"oak", "ash"}).Sort().Strings())
	fmt.Printf("%q\n", np.FromSlice([]float64{1, 0.25}).Strings())
	// Output:
	// ["ash" "oak"]
	// ["1.0" "0.25"]
}

// NaT is the zero Time.
func ExampleArray_Times() {
	d := np.FromSlice([]string{"2024-02-28T12:00", "NaT"}).AsType(np.DateTime(np.Minute))
	for _, t := range d.Add(24 * time.Hour).Times() {
		fmt.Println(t.Format(time.RFC1123), t.IsZero())
	}
	// Output:
	// Thu, 29 Feb 2024 12:00:00 UTC false
	// Mon, 01 Jan 0001 00:00:00 UTC true
}

// DataLike is Data where the type is a value: for code that knows it only when it runs.
func ExampleArray_DataLike() {
	x := np.FromSlice([]float32{1, 2, 3})
	data := x.DataLike(float32(0)).([]float32)
	data[0] = 10 // the memory of x
	fmt.Println(x)
	// Output: [10.  2.  3.]
}

// The bytes are little-endian, and the memory of a contiguous array.
func ExampleArray_Bytes() {
	x := np.FromSlice([]uint16{1, 256})
	fmt.Println(x.Bytes())
	x.Bytes()[0] = 7
	fmt.Println(x)
	// Output:
	// [1 0 0 1]
	// [  7 256]
}

func ExampleArray_WriteNPY() {
	var file bytes.Buffer
	if err := np.From2D([][]int{{1, 2}, {3, 4}}).WriteNPY(&file); err != nil {
		fmt.Println(err)
	}
	header, _, _ := bytes.Cut(file.Bytes()[10:], []byte("}")) // behind 6 bytes of name, version and length
	fmt.Printf("%q %s}\n", file.Bytes()[1:6], header)
	fmt.Println(np.Must(np.ReadNPY(&file)))
	// Output:
	// "NUMPY" {'descr': '<i8', 'fortran_order': False, 'shape': (2, 2), }
	// [[1 2]
	//  [3 4]]
}
