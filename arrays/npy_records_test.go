package arrays

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// What NumPy writes: records with fields of every kind, bytes between them, and archives with objects.
const recordsOfNumPy = `
import numpy as np, sys
d = sys.argv[1]
r = np.zeros(3, np.dtype([("it's", "<i4"), ("x", ">f8"), ("ok", "?"), ("name", "<U3"), ("raw", "S2"), ("day", "<M8[D]"), ("p", "<f4", (2,))], align=True))
r["it's"], r["x"], r["ok"], r["name"], r["raw"] = [1, 2, 3], [0.5, 1.5, -1], [True, False, True], ["a", "bcd", "\u00e9"], [b"x", b"yz", b""]
r["day"], r["p"] = ["2024-01-02", "NaT", "1969-12-31"], [[1, 2], [3, 4], [5, 6]]
np.save(d + "/r.npy", r)
np.save(d + "/two.npy", r.reshape(3, 1))
np.save(d + "/nested.npy", np.zeros(1, [("a", [("b", "<i4")])]))
np.save(d + "/plain.npy", np.arange(3))
np.save(d + "/object.npy", np.array([None, 1], object), allow_pickle=True)
np.savez(d + "/o.npz", a=np.arange(2), meta=np.array({"k": 1}, object), b=np.ones(1))
`

func TestRecordsOfNumPy(t *testing.T) {
	python := judges.Python(t, "numpy")
	dir := t.TempDir()
	out, err := exec.Command(python, "-c", recordsOfNumPy, dir).CombinedOutput()
	require.NoError(t, err, string(out))
	path := func(name string) string { return filepath.Join(dir, name) }
	names, columns, err := LoadTable(path("r.npy"))
	require.NoError(t, err)
	assert.Equal(t, []string{"it's", "x", "ok", "name", "raw", "day", "p"}, names)
	for i, want := range []string{"[1 2 3]", "[ 0.5  1.5 -1. ]", "[ True False  True]", "['a' 'bcd' 'é']", "['x' 'yz' '']", "['2024-01-02'        'NaT' '1969-12-31']", "[[1. 2.]\n [3. 4.]\n [5. 6.]]"} {
		assert.Equal(t, want, columns[i].String(), names[i])
	}
	assert.Equal(t, Float32, columns[6].DType())
	some, err := LoadColumns(path("r.npy"), Columns("x", "ok"))
	require.NoError(t, err)
	assert.Len(t, some, 2)

	archive, err := LoadZ(path("o.npz"), "a", "b")
	require.NoError(t, err)
	assert.Len(t, archive, 2)
	for file, want := range map[string]string{
		"two.npy":    "the records have shape (3,1); a table has one axis",
		"nested.npy": "of its records cannot be read",
		"plain.npy":  "the elements are not records, and so no table; Load reads an array",
	} {
		_, _, err := LoadTable(path(file))
		assert.ErrorContains(t, err, path(file)+": ", file)
		assert.ErrorContains(t, err, want, file)
	}
	_, err = Load(path("r.npy"))
	assert.ErrorContains(t, err, "LoadColumns, LoadTable and frames.Read give their fields as columns")
	_, err = Load(path("object.npy"))
	assert.ErrorContains(t, err, "Python objects")
	_, err = LoadZ(path("o.npz"))
	assert.ErrorContains(t, err, `meta.npy: its elements are Python objects, which are read by Python alone; LoadZ(path, names...) reads the others by name: "a", "b"`)
	_, err = LoadZ(path("o.npz"), "c")
	assert.ErrorContains(t, err, `there is no array "c"; there are "a", "meta", "b"`)
	_, _, err = LoadTable(path("r.npy"), Columns("z"))
	assert.ErrorContains(t, err, `there is no field "z"; there are it's, x, ok`)

	whole, err := os.ReadFile(path("r.npy"))
	require.NoError(t, err)
	for n := range whole { // cut off anywhere, it is an error
		require.NoError(t, os.WriteFile(path("cut.npy"), whole[:n], 0o600))
		_, _, err := LoadTable(path("cut.npy"))
		require.Error(t, err, n)
	}
}
