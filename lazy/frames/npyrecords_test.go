package frames

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

const treesOfNumPy = `
import numpy as np, sys
r = np.zeros(4, np.dtype([("tree", "<U4"), ("age", "<i4"), ("height", ">f8"), ("old", "?"), ("day", "<M8[D]")], align=True))
r["tree"], r["age"], r["height"] = ["oak", "ash", "oak", "\u00e9lm"], [120, 30, 80, 7], [21.5, 9, 18.5, np.nan]
r["old"], r["day"] = [True, False, True, False], ["2024-01-02", "NaT", "1969-12-31", "2000-02-29"]
np.save(sys.argv[1], r)
np.save(sys.argv[2], r[:0])
`

// TestReadRecordsOfNumPy: the fields of a structured array are columns, with which tables compute.
func TestReadRecordsOfNumPy(t *testing.T) {
	python := judges.Python(t, "numpy")
	path, none := filepath.Join(t.TempDir(), "trees.npy"), filepath.Join(t.TempDir(), "none.npy")
	out, err := exec.Command(python, "-c", treesOfNumPy, path, none).CombinedOutput()
	require.NoError(t, err, string(out))

	trees, err := Read(path)
	require.NoError(t, err)
	assert.Equal(t, []string{"tree", "age", "height", "old", "day"}, trees.Names())
	assert.Equal(t, 4, trees.Len())
	for name, want := range map[string]string{
		"tree": "<U4 ['oak' 'ash' 'oak' 'élm']", "age": "int32 [120  30  80   7]", "height": "float64 [21.5  9.  18.5  nan]",
		"old": "bool [ True False  True False]", "day": "datetime64[D] ['2024-01-02'        'NaT' '1969-12-31' '2000-02-29']",
	} {
		v := trees.Col(name).Array()
		assert.Equal(t, want, v.DType().String()+" "+v.String(), name)
	}
	means := trees.GroupBy("tree").Agg(Mean("height").As("mean")).Sort("tree")
	assert.Equal(t, []float64{9, 20}, means.Col("mean").Array().Float64s()[:2])

	some, err := Read(path, np.Columns("height", "tree"))
	require.NoError(t, err)
	assert.Equal(t, []string{"height", "tree"}, some.Names())

	empty, err := Read(none)
	require.NoError(t, err)
	assert.Equal(t, 0, empty.Len())
	assert.Equal(t, trees.Names(), empty.Names())

	_, err = Read(path, np.Columns("width"))
	assert.ErrorContains(t, err, `there is no field "width"`)
}
