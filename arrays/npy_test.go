package arrays

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// python runs a script with the Python that has NumPy.
func python(t *testing.T, dir, script string) string {
	t.Helper()
	cmd := exec.Command(judges.Python(t), "-c", script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestNPYWithNumPy: NumPy reads what we write and we read what NumPy writes, of every type, order and version.
func TestNPYWithNumPy(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	mine := map[string]*Array{
		"i1": FromSlice([]int8{-1, 2}), "u2": FromSlice([]uint16{1, 65535}), "u8": FromSlice([]uint64{1 << 63}), "f2": FromSlice([]float64{0.1, 65504}).AsType(Float16),
		"c8": FromSlice([]complex64{1 - 2i}), "c16": FromSlice([]complex128{0.5i}), "U3": FromSlice([]string{"é", "abc"}), "M": FromSlice([]string{"2020-02-29", "NaT"}).AsType(DateTime(Day)),
		"m":  FromSlice([]int{-5}).AsType(TimeDelta(Millisecond)),
		"f8": Arange(4.0).Div(8).Reshape(2, 2), "f4": Arange(6.0).AsType(Float32), "i8": Arange(-3, 3).Reshape(1, 6), "b1": Arange(5).Gt(2),
		"zero": Scalar(2.5), "none": New(Int64, 0, 3), "view": Arange(12).Reshape(3, 4).T().At(S(End, End, -1)),
	}
	for name, a := range mine {
		if err := Save(at(name+".npy"), a); err != nil {
			t.Fatal(err)
		}
	}
	if err := SaveZ(at("all.npz"), map[string]any{"a": mine["f8"], "b": []int{1, 2}}); err != nil {
		t.Fatal(err)
	}
	got := python(t, dir, `
import numpy as np
for n in ("i1", "u2", "u8", "f2", "c8", "c16", "U3", "M", "m", "f8", "f4", "i8", "b1", "zero", "none", "view"):
    a = np.load(n + ".npy"); print(n, a.dtype, a.shape, a.astype(str).ravel().tolist() if a.dtype.kind in "Mm" else a.ravel().tolist())
z = np.load("all.npz"); print(z["a"].shape, z["b"].tolist())
a = np.arange(12).reshape(3, 4)
np.save("fortran.npy", np.asfortranarray(a * 1.5)); np.save("big.npy", a.astype(">i8")); np.save("bigf.npy", (a / 4).astype(">f4"))
for d in ("i1", "u1", "i2", "u2", "i4", "u4", "u8", "f2"):
    np.save("as_" + d + ".npy", (a - (0 if d[0] == "u" else 6)).astype(d))
np.savez_compressed("theirs.npz", x=a, y=np.array([0.5, np.inf], "f2"))
with open("v2.npy", "wb") as f: np.lib.format.write_array(f, a, version=(2, 0))
np.save("huge.npy", np.array([2**63], ">u8")); np.save("text.npy", np.array([["né", "b"]], ">U2")); np.save("ascii.npy", np.array([b"ab", b"c"]))
np.save("complex.npy", np.array([1j, 2], ">c8")); np.save("date.npy", np.array(["1969-12-31T23:59:59.5", "NaT"], "M8[ms]")); np.save("span.npy", np.array([3], ">m8[W]"))
np.save("every.npy", np.array([3], "M8[10s]")); np.save("object.npy", np.array([None]))
`)
	want := `i1 int8 (2,) [-1, 2]
u2 uint16 (2,) [1, 65535]
u8 uint64 (1,) [9223372036854775808]
f2 float16 (2,) [0.0999755859375, 65504.0]
c8 complex64 (1,) [(1-2j)]
c16 complex128 (1,) [0.5j]
U3 <U3 (2,) ['é', 'abc']
M datetime64[D] (2,) ['2020-02-29', 'NaT']
m timedelta64[ms] (1,) ['-5 milliseconds']
f8 float64 (2, 2) [0.0, 0.125, 0.25, 0.375]
f4 float32 (6,) [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
i8 int64 (1, 6) [-3, -2, -1, 0, 1, 2]
b1 bool (5,) [False, False, False, True, True]
zero float64 () [2.5]
none int64 (0, 3) []
view int64 (4, 3) [3, 7, 11, 2, 6, 10, 1, 5, 9, 0, 4, 8]
(2, 2) [1, 2]
`
	if got != want {
		t.Errorf("NumPy reads\n%swant\n%s", got, want)
	}
	base := Arange(12).Reshape(3, 4)
	for name, want := range map[string]*Array{
		"fortran": base.Mul(1.5), "big": base, "bigf": base.Div(4).AsType(Float32), "as_i1": base.Sub(6).AsType(Int8), "as_u1": base.AsType(Uint8), "as_i2": base.Sub(6).AsType(Int16),
		"as_u2": base.AsType(Uint16), "as_i4": base.Sub(6).AsType(Int32), "as_u4": base.AsType(Uint32), "as_u8": base.AsType(Uint64), "as_f2": base.Sub(6).AsType(Float16), "v2": base,
		"huge": FromSlice([]uint64{1 << 63}), "text": FromSlice([][]string{{"né", "b"}}), "ascii": FromSlice([]string{"ab", "c"}), "complex": FromSlice([]complex64{1i, 2}),
		"span": FromSlice([]int{3}).AsType(TimeDelta(Week)),
	} {
		for _, load := range []func(string) (*Array, error){Load, MapNPY} {
			a, err := load(at(name + ".npy"))
			if err != nil || a.DType() != want.DType() || !ArrayEqual(a, want) {
				t.Errorf("%s: %v %v", name, a, err)
			}
		}
	}
	z, err := LoadZ(at("theirs.npz"))
	if err != nil || !ArrayEqual(z["x"], base) || !slices.Equal(z["y"].Float64s(), []float64{0.5, Scalar(1.0).Div(0).Float64()}) {
		t.Errorf("npz: %v %v", z, err)
	}
	if a, err := Load(at("date.npy")); err != nil || a.GoString() != "array(['1969-12-31T23:59:59.500',                     'NaT'],\n      dtype='datetime64[ms]')" {
		t.Errorf("dates: %#v %v", a, err)
	}
	for name, want := range map[string]string{"every": `"<M8[10s]"`, "object": "its elements are Python objects", "gone": "no such file"} {
		for _, load := range []func(string) (*Array, error){Load, MapNPY} {
			if _, err := load(at(name + ".npy")); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
}

// TestMapNPY: what is mapped is the file's, is not read at once, and does not change the file.
func TestMapNPY(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := Save(path, Arange(1<<20).Reshape(1024, 1024)); err != nil {
		t.Fatal(err)
	}
	a, err := MapNPY(path)
	if err != nil {
		t.Fatal(err)
	}
	want := Arange(1<<20).Reshape(1024, 1024)
	for name, pair := range map[string][2]*Array{"sums": {a.Sum(Axis(0)), want.Sum(Axis(0))}, "product": {a.T().MatMul(a.At(All, To(3))), want.T().MatMul(want.At(All, To(3)))}, "sorted": {Sort(a.Neg(), 0), Sort(want.Neg(), 0)}} {
		if !ArrayEqual(pair[0], pair[1]) {
			t.Errorf("%s differ", name)
		}
	}
	a.Set(-1, 3)
	if a.At(3, 5).Int() != -1 {
		t.Error("a mapped array is not written")
	}
	if again, err := Load(path); err != nil || !ArrayEqual(again, want) {
		t.Errorf("the file has changed: %v", err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	for _, load := range []func(string) (*Array, error){Load, MapNPY} {
		if _, err := load(path); err == nil || !strings.Contains(err.Error(), "the file has 3968 bytes of elements; shape (1024,1024) needs 8388608") {
			t.Error(err)
		}
	}
}

// FuzzReadNPY: no file makes the reader panic, or allocate what it does not have; what it reads it can write and read
// again.
func FuzzReadNPY(f *testing.F) {
	for _, a := range []*Array{Arange(3), Zeros(2, 0), Scalar(true), Arange(4.0).AsType(Float32).Reshape(2, 2), Scalar("é"), New(DateTime(Day), 2), FromSlice([]complex64{1i}), New(Float16, 3)} {
		var b bytes.Buffer
		a.WriteNPY(&b)
		f.Add(b.Bytes())
		f.Add(b.Bytes()[:b.Len()/2])
		f.Add(bytes.Replace(b.Bytes(), []byte("(3,)"), []byte("(9999999999,)"), 1))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadNPY(bytes.NewReader(data))
		there, _, thereErr := inNPY(bytes.Clone(data))
		if (err == nil) != (thereErr == nil) {
			t.Fatalf("read: %v, in its place: %v", err, thereErr)
		}
		if err != nil {
			return
		}
		if there.DType() != a.DType() || !slices.Equal(there.Shape(), a.Shape()) || !bytes.Equal(there.Bytes(), a.Bytes()) {
			t.Errorf("read %v, in its place %v", a, there)
		}
		var b bytes.Buffer
		if err := a.WriteNPY(&b); err != nil {
			t.Fatal(err)
		}
		again, err := ReadNPY(&b)
		if err != nil || again.DType() != a.DType() || !slices.Equal(again.Shape(), a.Shape()) || !bytes.Equal(again.Bytes(), a.Bytes()) {
			t.Errorf("%v became %v %v", a, again, err)
		}
	})
}

// TestLoadNamesTheFile: what is wrong with a file is said with its name.
func TestLoadNamesTheFile(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1,2\n3,4\n", "this is not a .npy file: it does not begin as one"},
		{"PK\x03\x04 and the rest", "this is an archive, as .npz files are; LoadZ reads those"},
	} {
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := "load: " + path + ": " + c.want
		for name, load := range map[string]func(string) (*Array, error){"Load": Load, "MapNPY": MapNPY} {
			if _, err := load(path); err == nil || err.Error() != want {
				t.Errorf("%s of %q: %v, want %s", name, c.text, err, want)
			}
		}
	}
}
