package arrays

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// python runs a script with the Python that has NumPy.
func python(t *testing.T, dir, script string) string {
	t.Helper()
	exe := os.Getenv("ARRAYREPL_PYTHON")
	if exe == "" {
		t.Skip("ARRAYREPL_PYTHON does not name a Python with NumPy; make test sets it")
	}
	cmd := exec.Command(exe, "-c", script)
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
for n in ("f8", "f4", "i8", "b1", "zero", "none", "view"):
    a = np.load(n + ".npy"); print(n, a.dtype, a.shape, a.ravel().tolist())
z = np.load("all.npz"); print(z["a"].shape, z["b"].tolist())
a = np.arange(12).reshape(3, 4)
np.save("fortran.npy", np.asfortranarray(a * 1.5)); np.save("big.npy", a.astype(">i8")); np.save("bigf.npy", (a / 4).astype(">f4"))
for d in ("i1", "u1", "i2", "u2", "i4", "u4", "u8", "f2"):
    np.save("as_" + d + ".npy", (a - (0 if d[0] == "u" else 6)).astype(d))
np.savez_compressed("theirs.npz", x=a, y=np.array([0.5, np.inf], "f2"))
with open("v2.npy", "wb") as f: np.lib.format.write_array(f, a, version=(2, 0))
np.save("huge.npy", np.array([2**63], "u8")); np.save("text.npy", np.array(["a"])); np.save("complex.npy", np.array([1j]))
`)
	want := `f8 float64 (2, 2) [0.0, 0.125, 0.25, 0.375]
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
		"fortran": base.Mul(1.5), "big": base, "bigf": base.Div(4).AsType(Float32), "as_i1": base.Sub(6), "as_u1": base, "as_i2": base.Sub(6), "as_u2": base,
		"as_i4": base.Sub(6), "as_u4": base, "as_u8": base, "as_f2": base.Sub(6).AsType(Float32), "v2": base,
	} {
		a, err := Load(at(name + ".npy"))
		if err != nil || a.DType() != want.DType() || !ArrayEqual(a, want) {
			t.Errorf("%s: %v %v", name, a, err)
		}
	}
	z, err := LoadZ(at("theirs.npz"))
	if err != nil || !ArrayEqual(z["x"], base) || !slices.Equal(z["y"].Float64s(), []float64{0.5, Scalar(1.0).Div(0).Float64()}) {
		t.Errorf("npz: %v %v", z, err)
	}
	for name, want := range map[string]string{"huge": "does not fit an int64", "text": `type "<U1"`, "complex": `type "<c16"`, "gone": "no such file"} {
		if _, err := Load(at(name + ".npy")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// FuzzReadNPY: no file makes the reader panic, or allocate what it does not have; what it reads it can write and read again.
func FuzzReadNPY(f *testing.F) {
	for _, a := range []*Array{Arange(3), Zeros(2, 0), Scalar(true), Arange(4.0).AsType(Float32).Reshape(2, 2)} {
		var b bytes.Buffer
		a.WriteNPY(&b)
		f.Add(b.Bytes())
		f.Add(b.Bytes()[:b.Len()/2])
		f.Add(bytes.Replace(b.Bytes(), []byte("(3,)"), []byte("(9999999999,)"), 1))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadNPY(bytes.NewReader(data))
		if err != nil {
			return
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
