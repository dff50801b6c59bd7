package arrays

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	_ "github.com/arrayrepl/arrayrepl/internal/arrowtable" // as programs that read such files do, by arrays/arrow
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/tables"
)

// arrowGolden is what tests/golden/make_arrow.py wrote beside pyarrow's files: the columns as NumPy arrays.
type arrowGolden struct {
	Columns map[string]goldenValue
	Refused []string
}

// TestArrowAsPyArrow: pyarrow's files and streams, in one batch and in two, compressed and not, give the values that
// were written, by each way of reading.
func TestArrowAsPyArrow(t *testing.T) {
	var golden arrowGolden
	readGolden(t, "arrow.json", &golden)
	read := func(path string, columns ...string) ([]string, []*Array, error) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		return ReadArrow(f, columns...)
	}
	ways := map[string]func(string, ...string) ([]string, []*Array, error){"LoadArrow": LoadArrow, "MapArrow": MapArrow, "ReadArrow": read}
	for _, file := range []string{"types.arrow", "batches.arrow", "lz4.arrow", "zstd.arrows", "batches.arrows"} {
		for way, load := range ways {
			names, columns, err := load("testdata/arrow/" + file)
			if err != nil {
				t.Errorf("%s of %s: %v", way, file, err)
				continue
			}
			if len(names) != len(golden.Columns) || names[0] != "bool" || names[len(names)-1] != "cubes" {
				t.Errorf("%s of %s: columns %v", way, file, names)
			}
			for i, name := range names {
				if err := compare(columns[i], golden.Columns[name], 0); err != nil {
					t.Errorf("%s of %s, column %q: %v", way, file, name, err)
				}
			}
		}
	}
	names, columns, err := LoadArrow("testdata/arrow/empty.arrow")
	if err != nil || len(names) != len(golden.Columns) {
		t.Fatal(names, err)
	}
	for i, c := range columns {
		if want := golden.Columns[names[i]].array(); c.Len() != 0 || c.NDim() != want.NDim() || c.DType().Kind() != want.DType().Kind() {
			if name := names[i]; name != "missing int" { // whole numbers, of which none is missing
				t.Errorf("no rows of column %q: %v of shape %v", name, c.DType(), c.Shape())
			}
		}
	}
}

func TestArrowChoosesColumns(t *testing.T) {
	names, columns, err := LoadArrow("testdata/arrow/refused.arrow", "fine")
	if err != nil || !slices.Equal(names, []string{"fine"}) || !slices.Equal(columns[0].Int64s(), []int64{1, 2, 3}) {
		t.Error(names, columns, err)
	}
	if names, _, err := LoadArrow("testdata/arrow/types.arrow", "text", "bool"); err != nil || !slices.Equal(names, []string{"text", "bool"}) {
		t.Error(names, err)
	}
}

// TestArrowSaysWhatIsWrong: each error names the file, and the column where there is one.
func TestArrowSaysWhatIsWrong(t *testing.T) {
	var golden arrowGolden
	readGolden(t, "arrow.json", &golden)
	for _, column := range golden.Refused {
		_, _, err := LoadArrow("testdata/arrow/refused.arrow", column)
		var typed *Error
		if !errors.As(err, &typed) || !strings.Contains(err.Error(), `refused.arrow: column "`+column+`"`) || strings.Contains(err.Error(), "damaged") {
			t.Errorf("column %q: %v", column, err)
		}
	}
	for file, want := range map[string]string{"x.parquet": "write_feather(pyarrow.parquet.read_table", "one.feather": "version 1", "arrow.json": "no such", "../npy_none": "no such", "../arrow.json": "cannot be read as Arrow"} {
		if _, _, err := LoadArrow("testdata/arrow/" + file); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Base(file)) {
			t.Errorf("%s: %v; it is to say %q", file, err, want)
		}
	}
	if _, _, err := LoadArrow("testdata/arrow/two.feather", "y"); err == nil || !strings.Contains(err.Error(), `there is no column "y"; the table has "x"`) {
		t.Error(err)
	}
	if _, _, err := ReadArrow(strings.NewReader("")); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Error(err)
	}
	x, span := Arange(3), New(TimeDelta(Month), 3)
	for want, columns := range map[string][]*Array{"0-d": {x, Scalar(1)}, "has 2 values": {x, Arange(2)}, "complex": {x, x.AsType(Complex64)}, "Month": {x, span}, "2 names are given for 1": {x}} {
		if err := WriteArrow(&bytes.Buffer{}, []string{"a", "b"}, columns); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; it is to say %q", err, want)
		}
	}
	if err := WriteArrow(&bytes.Buffer{}, []string{"a", "a"}, []*Array{x, x}); err == nil || !strings.Contains(err.Error(), "two columns") {
		t.Error(err)
	}
}

// TestArrowWithPyArrow: pyarrow reads what we write.
func TestArrowWithPyArrow(t *testing.T) {
	judges.Python(t, "pyarrow")
	dir := t.TempDir()
	names := []string{"bool", "i1", "u8", "f2", "f4", "f8", "text", "day", "year", "hour", "ms", "span", "rows", "view"}
	columns := []*Array{
		FromSlice([]bool{true, false, true}), FromSlice([]int8{-1, 2, 3}), FromSlice([]uint64{1 << 63, 0, 1}), FromSlice([]float64{0.5, 65504, -1}).AsType(Float16), FromSlice([]float32{0.5, 1, -2}),
		FromSlice([]float64{0.1, math.NaN(), math.Inf(-1)}), FromSlice([]string{"né", "", "three"}), FromSlice([]string{"2020-02-29", "NaT", "1969-12-31"}).AsType(DateTime(Day)),
		FromSlice([]string{"2020", "1969", "NaT"}).AsType(DateTime(Year)), FromSlice([]string{"2020-02-29T05", "NaT", "1970-01-01T00"}).AsType(DateTime(Hour)), FromSlice([]string{"2020-02-29T05:00:00.125", "NaT", "1970-01-01"}).AsType(DateTime(Millisecond)),
		FromSlice([]int{1, -2, 3}).AsType(TimeDelta(Minute)), Arange(12).Reshape(3, 2, 2), Arange(9).Reshape(3, 3).T().At(All, 1),
	}
	if err := SaveArrow(filepath.Join(dir, "t.arrow"), names, columns); err != nil {
		t.Fatal(err)
	}
	if err := SaveArrow(filepath.Join(dir, "t.arrows"), names, columns); err != nil {
		t.Fatal(err)
	}
	got := python(t, dir, `
import pyarrow as pa
for name, open in ("t.arrow", pa.ipc.open_file), ("t.arrows", pa.ipc.open_stream):
    table = open(name).read_all()
    table.validate(full=True)
    for n in table.column_names:
        c = table.column(n); print(n, c.type, [str(v) for v in c.to_pylist()] if pa.types.is_temporal(c.type) else c.to_pylist())
`)
	want := `bool bool [True, False, True]
i1 int8 [-1, 2, 3]
u8 uint64 [9223372036854775808, 0, 1]
f2 halffloat [0.5, 65504.0, -1.0]
f4 float [0.5, 1.0, -2.0]
f8 double [0.1, nan, -inf]
text string ['né', '', 'three']
day date32[day] ['2020-02-29', 'None', '1969-12-31']
year date32[day] ['2020-01-01', '1969-01-01', 'None']
hour timestamp[s] ['2020-02-29 05:00:00', 'None', '1970-01-01 00:00:00']
ms timestamp[ms] ['2020-02-29 05:00:00.125000', 'None', '1970-01-01 00:00:00']
span duration[s] ['0:01:00', '-1 day, 23:58:00', '0:03:00']
rows fixed_size_list<item: fixed_size_list<item: int64>[2]>[2] [[[0, 1], [2, 3]], [[4, 5], [6, 7]], [[8, 9], [10, 11]]]
view int64 [3, 4, 5]
`
	if got != strings.Repeat(want, 2) {
		t.Errorf("pyarrow reads\n%s", got)
	}
}

// TestArrowLiesInItsFile: of one batch, numbers lie in the mapped file; what is written to them stays here.
func TestArrowLiesInItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.arrow")
	x, m := Linspace(0, 1, 1000), Arange(2000).Reshape(1000, 2)
	if err := SaveArrow(path, []string{"x", "m"}, []*Array{x, m}); err != nil {
		t.Fatal(err)
	}
	data, done, err := mapFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer done(false)
	_, columns, err := readArrow(data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []*Array{x, m} {
		from := uintptr(unsafe.Pointer(unsafe.SliceData(columns[i].Bytes()))) - uintptr(unsafe.Pointer(unsafe.SliceData(data)))
		if int(from) >= len(data) || !slices.Equal(columns[i].Bytes(), want.Bytes()) {
			t.Errorf("column %d is not part of the file, or another", i)
		}
	}
	columns[0].Set(5.0, 0)
	if _, again, err := LoadArrow(path, "x"); err != nil || again[0].Float64s()[0] != 0 {
		t.Error("the file was written to", err)
	}
}

// FuzzArrow: damaged files and streams give errors, and no more memory is taken than a file can hold.
func FuzzArrow(f *testing.F) {
	files, err := filepath.Glob("testdata/arrow/*.*")
	if err != nil || len(files) < 8 {
		f.Fatal(files, err)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		data := make([]byte, len(b)) // of no more capacity, so that reading past the end is caught
		copy(data, b)
		names, columns, err := readArrow(data, nil, nil)
		if err == nil {
			for i, c := range columns {
				if c.Len() < 1<<16 {
					_, _ = names[i], c.String()
				}
			}
		}
	})
}

// TestArrowKeepsMissingOnes: whole numbers and bools of which some are missing are written as they are, and read back;
// pyarrow is the judge of the file.
func TestArrowKeepsMissingOnes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.arrow")
	names := []string{"n", "small", "ok", "whole"}
	columns := []*Array{FromSlice([]int64{1<<62 + 1, 0, 3}), FromSlice([]uint8{0, 2, 255}), FromSlice([]bool{true, false, true}), FromSlice([]int{1, 2, 3})}
	masks := map[string][]bool{"n": {false, true, false}, "small": {true, false, false}, "ok": {false, true, false}, "whole": {false, false, false}}
	require.NoError(t, SaveTable(path, names, columns, MissingInto(masks)))
	got, again := map[string][]bool{}, map[string][]bool{}
	_, read, err := LoadTable(path, MissingInto(got), MissingInto(again))
	require.NoError(t, err)
	delete(masks, "whole")
	require.Equal(t, masks, got)
	require.Equal(t, masks, again, "a second one gets them, too")
	for i, c := range columns {
		require.Equal(t, c.DType(), read[i].DType())
		require.True(t, read[i].Eq(c).All().Bool(), "%v", read[i])
	}
	err = SaveTable(path, names, columns, MissingInto(map[string][]bool{"n": {true}}))
	require.ErrorContains(t, err, `column "n" has 3 values, and 1 are said to be missing or not`)
	require.ErrorContains(t, SaveTable(path, names, columns, Delimiter(';')), "Delimiter is for files of text")
	judges.Python(t, "pyarrow")
	require.Equal(t, "[4611686018427387905, None, 3] [None, 2, 255] [True, None, True] [1, 2, 3]\n", python(t, filepath.Dir(path), `
import pyarrow as pa
table = pa.ipc.open_file("t.arrow").read_all(); table.validate(full=True)
print(*table.to_pydict().values())`))
}

// A batch that says of fewer columns than its schema has how many entries or buffers they have: arrow-go would take the
// bytes behind for what is missing, here 2 TB of buffers.
func TestArrowBatchLacksColumns(t *testing.T) {
	data, err := os.ReadFile("testdata/arrow/types.arrow")
	require.NoError(t, err)
	const bit = 48412 // of the number of the counts of buffers
	data[bit/8] ^= 1 << (bit % 8)
	path := filepath.Join(t.TempDir(), "fewer.arrow")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	_, _, err = LoadArrow(path)
	require.ErrorContains(t, err, "of them in views; its schema has")
}

// Without what reads such files, each function says what to import; files of other formats are read.
func TestArrowIsNotImported(t *testing.T) {
	was := tables.Arrow()
	tables.RegisterArrow(nil)
	defer tables.RegisterArrow(was)
	const says = `import _ "github.com/arrayrepl/arrayrepl/arrays/arrow"`
	path := filepath.Join(t.TempDir(), "x.arrow")
	columns := []*Array{Arange(3)}
	for name, err := range map[string]error{
		"save": SaveArrow(path, []string{"x"}, columns), "table": SaveTable(path, []string{"x"}, columns), "write": WriteArrow(&bytes.Buffer{}, []string{"x"}, columns),
		"load": errOf(LoadArrow("testdata/arrow/types.arrow")), "map": errOf(MapArrow("testdata/arrow/types.arrow")), "read": errOf(ReadArrow(strings.NewReader("x"))),
	} {
		var typed *Error
		require.ErrorAs(t, err, &typed, name)
		require.ErrorContains(t, err, says, name)
	}
	require.NoFileExists(t, path)
}

func errOf(_ []string, _ []*Array, err error) error { return err }
