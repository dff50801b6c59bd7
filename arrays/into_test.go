package arrays

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// caughtError returns what f panics with, nil when it does not.
func caughtError(t *testing.T, f func()) (err *Error) {
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(error)
			if !ok || !errors.As(e, &err) {
				t.Errorf("panics with %T, %v", p, p)
			}
		}
	}()
	f()
	return nil
}

// TestIntoEveryUfunc: every operation on every dtype that it has writes what it returns, in place, into what overlaps
// its operands, into views, into another dtype, and with one processor or several; a short test has many elements for a
// third of the operations, each turn for others.
func TestIntoEveryUfunc(t *testing.T) {
	for u := range Ufunc(NumUfuncs) {
		for _, d := range []DType{Bool, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Float16, Float32, Float64, Complex64, Complex128, Str(3), DateTime(Day), TimeDelta(Hour)} {
			for _, n := range []int{1, 7, 2500, 40_000} {
				if n > 3000 && (d != Float64 && d != Int64 && d != Bool || !testsize.Part(int(u), 3)) {
					continue
				}
				intoUfunc(t, u, d, n)
			}
		}
	}
}

func intoUfunc(t *testing.T, u Ufunc, d DType, n int) {
	storage := New(d, n+3)
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, 1e10, -70000, 3}
	values := make([]float64, n+3)
	for i := range values {
		values[i] = float64(i%23-11) / 4
		if i%13 == 5 {
			values[i] = special[i/13%len(special)]
		}
	}
	if u == OpPow && d.IsInt() { // negative powers of ints are refused
		for i, v := range values {
			values[i] = math.Abs(v)
		}
	}
	storage.Set(FromSlice(values).AsType(d))
	ops := func(s *Array, at ...int) []any {
		args := make([]any, u.NIn())
		for i := range args {
			args[i] = s.At(S(at[i], at[i]+n))
		}
		return args
	}
	var want *Array
	if caughtError(t, func() { want = Apply(u, ops(storage.Copy(), 0, 2, 1)...) }) != nil {
		return // not of this dtype
	}
	where := func(how string) string { return fmt.Sprintf("%v of %v, %d elements, %s", u, d, n, how) }
	for _, lo := range []int{0, 1, 2, 3} { // the first operand's place, the others', elsewhere
		s := storage.Copy()
		z := s.At(S(lo, lo+n))
		if z.dtype != want.dtype {
			z = New(want.dtype, n+3).At(S(lo, lo+n))
		}
		if got := (Out{z}).apply(allOperations[u], ops(s, 0, 2, 1)...); got != z {
			t.Errorf("%s: another array is returned", where("at"))
		}
		sameElements(t, where(fmt.Sprint("at ", lo)), z, want)
	}
	z := New(want.dtype, 2*n).At(S(2*n-1, End, -2)).Reshape(n)
	Out{z}.apply(allOperations[u], ops(storage, 0, 2, 1)...)
	sameElements(t, where("backwards"), z, want)
	z = New(want.dtype, n, 2).At(All, S(1, 2)).T()
	Out{z}.apply(allOperations[u], ops(storage, 0, 2, 1)...)
	sameElements(t, where("in a column"), z.Reshape(n), want)
	for _, to := range []DType{Int8, Float32, Complex64} {
		if sameKind(want.dtype, to) && !want.dtype.IsTime() {
			z = New(to, n)
			Out{z}.apply(allOperations[u], ops(storage, 0, 2, 1)...)
			sameElements(t, where("into "+to.String()), z, want.AsType(to))
		}
	}
}

// sameElements compares elements bit by bit, but for what a NaN carries.
func sameElements(t *testing.T, where string, got, want *Array) {
	t.Helper()
	g, w := got.Bytes(), want.Bytes()
	if got.dtype != want.dtype || !slices.Equal(got.layout.Shape, want.layout.Shape) {
		t.Errorf("%s: %v of %v, want %v of %v", where, got.dtype, got.Shape(), want.dtype, want.Shape())
		return
	}
	if string(g) == string(w) {
		return
	}
	if want.dtype.IsInexact() {
		if a, b := fmt.Sprint(got.Copy().Strings()), fmt.Sprint(want.Strings()); a == b {
			return
		}
	}
	size := want.dtype.Size()
	for i := 0; i < len(w); i += size {
		if string(g[i:i+size]) != string(w[i:i+size]) {
			t.Errorf("%s: element %d is %v, want %v", where, i/size, got.Reshape(-1).At(i/size), want.Reshape(-1).At(i/size))
			return
		}
	}
}

// TestIntoKinds: what NumPy 2.3.5 says of numpy.can_cast(from, to, "same_kind"), from in the first column, to in the
// first row.
func TestIntoKinds(t *testing.T) {
	names := map[string]DType{"?": Bool, "i1": Int8, "i8": Int64, "u1": Uint8, "u8": Uint64, "f2": Float16, "f8": Float64, "c8": Complex64, "c16": Complex128,
		"U3": Str(3), "U9": Str(9), "M8[D]": DateTime(Day), "M8[s]": DateTime(Second), "M8[Y]": DateTime(Year),
		"m8[D]": TimeDelta(Day), "m8[s]": TimeDelta(Second), "m8[Y]": TimeDelta(Year), "m8[M]": TimeDelta(Month)}
	for from, to := range map[string]string{
		"?":   "? i1 i8 u1 u8 f2 f8 c8 c16 U3 U9 m8[D] m8[s] m8[Y] m8[M]",
		"i1":  "i1 i8 f2 f8 c8 c16 U3 U9 m8[D] m8[s] m8[Y] m8[M]",
		"i8":  "i1 i8 f2 f8 c8 c16 U3 U9 m8[D] m8[s] m8[Y] m8[M]",
		"u1":  "i1 i8 u1 u8 f2 f8 c8 c16 U3 U9 m8[D] m8[s] m8[Y] m8[M]",
		"u8":  "i1 i8 u1 u8 f2 f8 c8 c16 U3 U9 m8[D] m8[s] m8[Y] m8[M]",
		"f2":  "f2 f8 c8 c16 U3 U9",
		"f8":  "f2 f8 c8 c16 U3 U9",
		"c8":  "c8 c16 U3 U9",
		"c16": "c8 c16 U3 U9",
		"U3":  "U3 U9", "U9": "U3 U9",
		"M8[D]": "M8[D] M8[s] M8[Y]", "M8[s]": "M8[D] M8[s] M8[Y]", "M8[Y]": "M8[D] M8[s] M8[Y]",
		"m8[D]": "m8[D] m8[s]", "m8[s]": "m8[D] m8[s]", "m8[Y]": "m8[Y] m8[M]", "m8[M]": "m8[Y] m8[M]",
	} {
		for name, d := range names {
			want := slices.Contains(strings.Fields(to), name)
			if got := sameKind(names[from], d); got != want {
				t.Errorf("%s to %s: %v, NumPy says %v", from, name, got, want)
			}
		}
	}
}

// TestIntoAsNumPy: what goes and what does not, as NumPy 2.3.5 answers the call beside it.
func TestIntoAsNumPy(t *testing.T) {
	ones := func(d DType, shape ...int) *Array { return Ones(shape...).AsType(d) }
	for _, c := range []struct {
		numpy string
		call  func() *Array
		want  string // the elements, or the start of the error
	}{
		{"add(ones(3), ones(3), out=zeros((2,3)))", func() *Array { return Into(Zeros(2, 3)).Add(Ones(3), Ones(3)) }, "[[2. 2. 2.]\n [2. 2. 2.]]"},
		{"add(ones((2,3)), ones(3), out=zeros(3))", func() *Array { return Into(Zeros(3)).Add(Ones(2, 3), Ones(3)) }, "add: the result has shape (2,3)"},
		{"add(ones((1,3)), ones(3), out=zeros(3))", func() *Array { return Into(Zeros(3)).Add(Ones(1, 3), Ones(3)) }, "add: the result has shape (1,3)"},
		{"add(ones(1), ones(1), out=zeros(()))", func() *Array { return Into(Zeros()).Add(Ones(1), Ones(1)) }, "add: the result has shape (1,)"},
		{"add(1.0, 2.0, out=zeros(3))", func() *Array { return Into(Zeros(3)).Add(1.0, 2.0) }, "[3. 3. 3.]"},
		{"add(ones(3), ones(3), out=zeros((2,1)))", func() *Array { return Into(Zeros(2, 1)).Add(Ones(3), Ones(3)) }, "add: the result has shape (3,)"},
		{"add(ones((2,1)), 1, out=zeros((2,3)))", func() *Array { return Into(Zeros(2, 3)).Add(Ones(2, 1), 1) }, "[[2. 2. 2.]\n [2. 2. 2.]]"},
		{"add(ones(3), ones(3), out=zeros(3, 'f4'))", func() *Array { return Into(New(Float32, 3)).Add(Ones(3), Ones(3)) }, "[2. 2. 2.]"},
		{"add(ones(3), ones(3), out=zeros(3, 'i8'))", func() *Array { return Into(New(Int64, 3)).Add(Ones(3), Ones(3)) }, "add: the result, of float64, is not written into an array of int64"},
		{"add(ones(3, 'i8'), 1, out=zeros(3, 'i1'))", func() *Array { return Into(New(Int8, 3)).Add(ones(Int64, 3), 1) }, "[2 2 2]"},
		{"add(ones(3, 'i8'), 1, out=zeros(3, 'u8'))", func() *Array { return Into(New(Uint64, 3)).Add(ones(Int64, 3), 1) }, "add: the result, of int64,"},
		{"add(ones(3, 'u8'), 1, out=zeros(3, 'i1'))", func() *Array { return Into(New(Int8, 3)).Add(ones(Uint64, 3), 1) }, "[2 2 2]"},
		{"add(ones(3, 'i8'), 1, out=zeros(3, bool))", func() *Array { return Into(New(Bool, 3)).Add(ones(Int64, 3), 1) }, "add: the result, of int64,"},
		{"less(ones(3), 2, out=zeros(3))", func() *Array { return Into(Zeros(3)).Less(Ones(3), 2) }, "[1. 1. 1.]"},
		{"divide(ones(3, 'i8'), 2, out=zeros(3, 'i8'))", func() *Array { return Into(New(Int64, 3)).Div(ones(Int64, 3), 2) }, "divide: the result, of float64,"},
		{"add(ones(3, 'c16'), 1, out=zeros(3))", func() *Array { return Into(Zeros(3)).Add(ones(Complex128, 3), 1) }, "add: the result, of complex128,"},
		{"add(ones(3), 1, out=zeros(3, 'c8'))", func() *Array { return Into(New(Complex64, 3)).Add(Ones(3), 1) }, "[2.+0.j 2.+0.j 2.+0.j]"},
		{"add(ones(3, 'i1'), 300, out=zeros(3, 'i8'))", func() *Array { return Into(New(Int64, 3)).Add(ones(Int8, 3), 300) }, "add: 300 does not fit int8"},
		{"add(1, 1, out=broadcast_to(zeros(1), 3))", func() *Array { return Into(BroadcastTo(Zeros(1), 3)).Add(1.0, 1) }, "add: axis 0 is stretched by broadcasting"},
		{"clip(ones(3), 0, .5, out=zeros((2,3)))", func() *Array { return Into(Zeros(2, 3)).Clip(Ones(3), 0, 0.5) }, "[[0.5 0.5 0.5]\n [0.5 0.5 0.5]]"},
		{"concatenate([ones(2), ones(2)], out=zeros(4, 'f4'))", func() *Array { return Into(New(Float32, 4)).Concat(0, Ones(2), Ones(2)) }, "[1. 1. 1. 1.]"},
		{"concatenate([ones(2), ones(2)], out=zeros(4, 'i4'))", func() *Array { return Into(New(Int32, 4)).Concat(0, Ones(2), Ones(2)) }, "concat: the result, of float64,"},
		{"concatenate([ones(2), ones(2)], out=zeros(5))", func() *Array { return Into(Zeros(5)).Concat(0, Ones(2), Ones(2)) }, "concat: the result has shape (4,)"},
		{"concatenate([ones(2), ones(2)], out=zeros((1,4)))", func() *Array { return Into(Zeros(1, 4)).Concat(0, Ones(2), Ones(2)) }, "concat: the result has shape (4,)"},
		{"sum(ones((2,3)), axis=0, out=zeros((2,3)))", func() *Array { return Into(Zeros(2, 3)).Sum(Ones(2, 3), Axis(0)) }, "sum: the result has shape (3,)"},
		{"sum(ones((2,3)), axis=0, keepdims=True, out=zeros((1,3)))", func() *Array { return Into(Zeros(1, 3)).Sum(Ones(2, 3), Axis(0), KeepDims()) }, "[[2. 2. 2.]]"},
		{"take(ones(4), [1,2], out=zeros(3))", func() *Array { return Into(Zeros(3)).Take(Ones(4), []int{1, 2}) }, "take: the result has shape (2,)"},
		{"take(ones(4), [1,9], out=zeros(2))", func() *Array { return Into(Zeros(2)).Take(Ones(4), []int{1, 9}) }, "index: index 9 is out of bounds"},
		{"matmul(ones((2,2)), ones((2,2)), out=zeros((2,2), 'i4'))", func() *Array { return Into(New(Int32, 2, 2)).MatMul(Ones(2, 2), Ones(2, 2)) }, "matmul: the result, of float64,"},
		{"power([2,3], [1,-1], out=zeros(2, 'i8'))", func() *Array { return Into(New(Int64, 2)).Pow([]int{2, 3}, []int{1, -1}) }, "power: an int64 to a negative power"},
		{"", func() *Array { return Into(nil).Add(1, 2) }, "add: the array to write into is nil"},
		{"", func() *Array { return Out{}.Dot(1, 2) }, "dot: the array to write into is nil"},
	} {
		var got string
		if err := caughtError(t, func() { got = c.call().String() }); err != nil {
			got = err.Error()
			if strings.Contains(got, "has shape") && len(err.Shapes) != 2 {
				t.Errorf("%s: the shapes are %v", c.numpy, err.Shapes)
			}
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.numpy, got, c.want)
		}
	}
}

// TestIntoErrorsWriteNothing: elements that are refused when others are computed already leave the array as it was,
// too.
func TestIntoErrorsWriteNothing(t *testing.T) {
	z := Arange(4)
	for name, f := range map[string]func(){
		"power":       func() { Into(z).Pow([]int{2, 2, 2, 2}, []int{1, 1, 1, -1}) },
		"take":        func() { Into(z).Take([]int{7, 8}, []int{0, 1, 0, 2}) },
		"take axis":   func() { Into(z.Reshape(2, 2)).Take([][]int{{7, 8}, {7, 8}}, []int{0, 2}, 1) },
		"take narrow": func() { Into(z).Take(FromSlice([]int8{7, 8}), []int{0, 1, 0, 2}) },
		"clip":        func() { Into(z).Clip(z, 1, []int{1, 2, 3}) },
		"concat":      func() { Into(z).Concat(0, []int{9, 9}, []float64{9, 9}) },
		"cumsum":      func() { Into(z).CumSum([]float64{9, 9, 9, 9}) },
		"sum":         func() { Into(z).Sum([]int{9, 9, 9, 9}) },
	} {
		if err := caughtError(t, f); err == nil {
			t.Errorf("%s is not an error", name)
		}
		if fmt.Sprint(z) != "[0 1 2 3]" {
			t.Fatalf("after %s: %v", name, z)
		}
	}
}

// TestEveryUfuncGoesInto: each function of the package that is an operation alone has a method of Out.
func TestEveryUfuncGoesInto(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	alone, methods := regexp.MustCompile(`(?m)^func (\w+)\(.*\) \*Array \{ return apply\(&op`), regexp.MustCompile(`(?m)^func \(o Out\) (\w+)\(`)
	var text strings.Builder
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(b)
	}
	has := map[string]bool{}
	for _, m := range methods.FindAllStringSubmatch(text.String(), -1) {
		has[m[1]] = true
	}
	functions := alone.FindAllStringSubmatch(text.String(), -1)
	if len(functions) < NumUfuncs-2 {
		t.Errorf("only %d functions are found", len(functions))
	}
	for _, m := range functions {
		if !has[m[1]] {
			t.Errorf("Out has no method %s", m[1])
		}
	}
}

// TestIntoAllocatesNothing: contiguous arrays of one dtype and shape, and a Go number, need no memory.
func TestIntoAllocatesNothing(t *testing.T) {
	for _, n := range []int{10, 1000, 20_000} {
		x, y, z, m := Ones(n), Ones(n), Zeros(n), New(Bool, n)
		for name, f := range map[string]func(){
			"add":     func() { Into(z).Add(x, y) },
			"sqrt":    func() { Into(x).Sqrt(x) },
			"greater": func() { Into(m).Greater(x, y) },
		} {
			if k := testing.AllocsPerRun(50, f); k != 0 {
				t.Errorf("%s of %d elements: %v allocations", name, n, k)
			}
		}
		if k := testing.AllocsPerRun(50, func() { Into(x).Mul(x, 2) }); n < blockLen && k != 0 {
			t.Errorf("a number times %d elements: %v allocations", n, k)
		}
	}
}

// TestIntoTakesNoRoom: what writes straight into the array asks for no storage of the result's size.
func TestIntoTakesNoRoom(t *testing.T) {
	n := 1 << 18
	x, y, z, both := Ones(n), Ones(n), Zeros(n), Zeros(2*n)
	at := Arange(n)
	var asked int
	Wiring{}.OnAllocate(func(bytes int) error { asked += bytes; return nil })
	defer Wiring{}.OnAllocate(nil)
	for name, f := range map[string]func(){
		"add":         func() { Into(z).Add(x, y) },
		"add a row":   func() { Into(z.Reshape(512, -1)).Add(x.Reshape(512, -1), y.At(To(512))) },
		"to float32":  func() { Into(z.AsType(Float32)).Add(x, y) },
		"every other": func() { Into(both.At(S(0, End, 2))).Add(x, y) },
		"where":       func() { Into(z).Where(x, y, 0) },
		"clip":        func() { Into(z).Clip(x, 0, y) },
		"cumsum":      func() { Into(z).CumSum(x) },
		"in place":    func() { Into(x).CumSum(x) },
		"concat":      func() { Into(both).Concat(0, x, y) },
		"stack":       func() { Into(both.Reshape(2, n)).Stack(0, x, y) },
		"take":        func() { Into(z).Take(x, at) },
	} {
		asked = 0
		f()
		if want := map[string]int{"to float32": 4 * n}[name]; asked != want { // that of AsType
			t.Errorf("%s: asks for %d bytes", name, asked)
		}
	}
}

// TestPastTheCaches: results so large that they go to memory past the caches are the same, wherever they begin and in
// place too.
func TestPastTheCaches(t *testing.T) {
	testsize.InTurn(t, 1)
	for _, d := range []DType{Float64, Float32, Int32, Int64} {
		n := pastBytes/d.Size() + 13
		x, y := Arange(n+1).AsType(d), Arange(n+1).Mod(1000).AsType(d)
		for _, u := range []Ufunc{OpAdd, OpMul, OpMaximum, OpNeg} {
			for _, lo := range []int{0, 1} { // where they go, at a multiple of 64 bytes or not
				for name, z := range map[string]*Array{"apart": New(d, n+1), "in place": x.Copy()} {
					to := z.At(S(lo, lo+n))
					in := []any{x.At(To(n)), y.At(To(n))}
					if name == "in place" {
						in[0] = to
					}
					in = in[:u.NIn()]
					small := make([]any, len(in)) // the first and the last elements, alone
					for i, a := range in {
						small[i] = Concat(0, a.(*Array).At(To(100)), a.(*Array).At(From(-100)))
					}
					want := Apply(u, small...)
					Out{to}.apply(allOperations[u], in...)
					sameElements(t, fmt.Sprintf("%v of %v %s at %d", u, d, name, lo), Concat(0, to.At(To(100)), to.At(From(-100))), want)
				}
			}
		}
	}
}
