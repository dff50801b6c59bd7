package arrays

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// readersOf are all that read a file of an ending.
var readersOf = map[string][]func(path string) error{
	".npy":      {failing(Load), failing(MapNPY), asTable(LoadTable)},
	".npz":      {func(path string) error { _, err := LoadZ(path); return err }},
	".csv":      {func(path string) error { _, err := LoadCSV(path); return err }, asTable(LoadTable)},
	".csv.gz":   {func(path string) error { _, err := LoadCSV(path); return err }, asTable(LoadTable)},
	".json":     {failing(LoadJSON), asTable(LoadTable)},
	".jsonl":    {asTable(LoadTable)},
	".arrow":    {func(path string) error { _, _, err := LoadArrow(path); return err }, func(path string) error { _, _, err := MapArrow(path); return err }, asTable(LoadTable)},
	".arrows":   {func(path string) error { _, _, err := LoadArrow(path); return err }, asTable(LoadTable)},
	".png":      {failing(LoadImage)},
	".jpg":      {failing(LoadImage)},
	".gif":      {failing(LoadImage)},
	".columns":  {func(path string) error { _, err := LoadColumns(path); return err }},
	".readnpy":  {reader(func(f *os.File) error { _, err := ReadNPY(f); return err })},
	".readcsv":  {reader(func(f *os.File) error { _, err := ReadCSV(f); return err })},
	".readjson": {reader(func(f *os.File) error { _, _, err := ReadRecords(f); return err })},
	".readarr":  {reader(func(f *os.File) error { _, _, err := ReadArrow(f); return err })},
	".readpng":  {reader(func(f *os.File) error { _, err := ReadImage(f); return err })},
}

func failing(load func(string) (*Array, error)) func(string) error {
	return func(path string) error { _, err := load(path); return err }
}

func asTable(load func(string, ...CSVOption) ([]string, []*Array, error)) func(string) error {
	return func(path string) error { _, _, err := load(path); return err }
}

func reader(read func(*os.File) error) func(string) error {
	return func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return read(f)
	}
}

// goodFiles are small files of all formats, by their endings.
func goodFiles(t *testing.T) map[string][]byte {
	dir := t.TempDir()
	names := []string{"n", "x", "text", "day"}
	columns := []*Array{FromSlice([]int{1, 2}), FromSlice([]float64{0.5, math.NaN()}), FromSlice([]string{"a", "é"}), FromSlice([]string{"2024-01-02", "NaT"}).AsType(DateTime(Day))}
	picture := Arange(12).AsType(Uint8).Reshape(2, 2, 3)
	for name, save := range map[string]func(path string) error{
		".npy":    func(path string) error { return Save(path, columns[3]) },
		".npz":    func(path string) error { return SaveZ(path, map[string]any{"x": columns[1], "t": columns[2]}) },
		".csv":    func(path string) error { return SaveTable(path, names, columns) },
		".csv.gz": func(path string) error { return SaveTable(path, names[:2], columns[:2]) },
		".json":   func(path string) error { return SaveTable(path, names, columns) },
		".jsonl":  func(path string) error { return SaveTable(path, names, columns) },
		".arrow":  func(path string) error { return SaveTable(path, names, columns) },
		".arrows": func(path string) error { return SaveTable(path, names, columns) },
		".png":    func(path string) error { return SaveImage(path, picture) },
		".jpg":    func(path string) error { return SaveImage(path, picture) },
	} {
		require.NoError(t, save(filepath.Join(dir, "good"+name)), name)
	}
	files := map[string][]byte{}
	written, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range written {
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		files[strings.TrimPrefix(f.Name(), "good")] = content
	}
	var b bytes.Buffer
	require.NoError(t, gif.Encode(&b, image.NewPaletted(image.Rect(0, 0, 3, 3), color.Palette{color.Black, color.White}), nil))
	files[".gif"] = b.Bytes()
	for name, from := range map[string]string{".columns": ".csv", ".readnpy": ".npy", ".readcsv": ".csv", ".readjson": ".jsonl", ".readarr": ".arrows", ".readpng": ".png"} {
		files[name] = files[from]
	}
	return files
}

// ofGo are words of Go's runtime and library, which say nothing to who reads a file.
var ofGo = regexp.MustCompile(`runtime error|out of range \[|nil pointer|\bEOF\b|strconv\.|reflect\.|has a fault`)

// readsOrSays calls a reader, which returns a value or one clear error: the path, where there is one, and the operation
// are in it once.
func readsOrSays(t *testing.T, read func(string) error, path string, what any) error {
	t.Helper()
	var err error
	require.NotPanics(t, func() { err = read(path) }, what)
	if err == nil {
		return nil
	}
	require.ErrorAs(t, err, new(*Error), what)
	text := err.Error()
	require.NotRegexp(t, ofGo, text, what)
	op, _, _ := strings.Cut(text, ": ")
	require.Equal(t, 1, strings.Count(text, op+": "), "%v: the operation in %s", what, text)
	if len(path) < 200 && !strings.HasPrefix(filepath.Ext(path), ".read") {
		require.Equal(t, 1, strings.Count(text, path), "%v: the path in %s", what, text)
		require.True(t, strings.HasPrefix(text, op+": "+path+": "), "%v: %s", what, text)
	}
	return err
}

// TestEveryTruncation: a file of any format that ends anywhere is read, or is an error; and so are no file, a directory
// and an empty file.
func TestEveryTruncation(t *testing.T) {
	files := goodFiles(t)
	dir := t.TempDir()
	for end, readers := range readersOf {
		content := files[end]
		require.NotEmpty(t, content, end)
		path := filepath.Join(dir, "cut"+end)
		for i, read := range readers {
			if _, err := os.Stat(path); err == nil {
				require.NoError(t, os.Remove(path))
			}
			if !strings.HasPrefix(end, ".read") {
				require.Error(t, readsOrSays(t, read, path, "no file"+end))
				require.Error(t, readsOrSays(t, read, dir, "a directory"+end))
			}
			f, err := os.Create(path) // it grows: one that is cut and written anew goes to the disk each time
			require.NoError(t, err)
			refused, tried, written := 0, 0, 0
			for n := range len(content) + 1 {
				if !testsize.Part(n, 3) {
					continue
				}
				tried++
				_, err := f.Write(content[written:n])
				require.NoError(t, err)
				written = n
				if readsOrSays(t, read, path, fmt.Sprintf("%s, reader %d, %d of %d bytes", end, i, n, len(content))) != nil {
					refused++
				}
			}
			require.NoError(t, f.Close())
			if end != ".csv" && end != ".columns" && end != ".readcsv" {
				require.Greater(t, refused, tried/4, "%s, reader %d", end, i)
			}
		}
	}
}

// TestCellsOfAMillionCharacters: a cell longer than an element of text may be is read as text of any length, or is an
// error; it never ends the program.
func TestCellsOfAMillionCharacters(t *testing.T) {
	long := strings.Repeat("x", maxChars+1)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for _, rows := range []string{long + "\n", long + "\nb\n", "\"" + long + "\"\n\"a\nb\"\n"} {
		path := write("a.csv", "name\n"+rows)
		for _, opts := range [][]CSVOption{nil, {Header(false)}, {TextWidth(3)}, {ColumnType("name", Str(0))}, {ColumnType("name", StringDType)}, {ColumnType("name", Str(5))}, {ColumnType("name", Float64)}, {ColumnType("name", DateTime(Day))}, {ColumnType("name", Complex128)},
			{Columns(long)}, {Names(long)}, {MissingInto(map[string][]bool{})}} {
			readsOrSays(t, func(path string) error { _, _, err := LoadTable(path, opts...); return err }, path, len(opts))
			readsOrSays(t, func(path string) error { _, err := LoadCSV(path, opts...); return err }, path, len(opts))
		}
	}
	names, columns, err := LoadTable(write("b.csv", "name,x\n"+long+",1\nb,2\n"))
	require.NoError(t, err)
	assert.Equal(t, []string{"name", "x"}, names)
	assert.Equal(t, []string{long, "b"}, columns[0].Strings())
	for _, end := range []string{"c.csv", "c.json", "c.jsonl", "c.arrow", "c.arrows", "c.csv.gz"} {
		path := filepath.Join(dir, end)
		require.NoError(t, SaveTable(path, names, columns), end)
		_, back, err := LoadTable(path)
		require.NoError(t, err, end)
		assert.Equal(t, []string{long, "b"}, back[0].Strings(), end)
	}
	readsOrSays(t, failing(LoadJSON), write("d.json", `["`+long+`"]`), "one text")
	readsOrSays(t, failing(LoadJSON), write("d.json", `["`+long+`", "b"]`), "two texts")
	readsOrSays(t, failing(LoadJSON), write("d.json", `[`+strings.Repeat("9", maxChars+1)+`]`), "digits")
	header := fmt.Sprintf("{'descr': '<U%d', 'fortran_order': False, 'shape': (1,), }\n", maxChars+1)
	file := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
	path := write("e.npy", string(file)+header+strings.Repeat("x\x00\x00\x00", maxChars+1))
	for _, read := range readersOf[".npy"] {
		assert.Error(t, readsOrSays(t, read, path, "a wide text"))
	}
	assert.Error(t, readsOrSays(t, failing(LoadJSON), filepath.Join(dir, long), "a long path")) // its end is named
}

// TestFarDates: dates beyond what nanoseconds, and beyond what years of four digits hold, come back or are an error,
// from all formats that have dates.
func TestFarDates(t *testing.T) {
	dir := t.TempDir()
	far := []string{"9999-12-31", "0001-01-01", "-9999-01-01", "12345-01-01", "9999-12-31T23:59:59", "2262-04-12", "1677-09-20", "9999-12-31T23:59:59.123456", "9999-12-31T23:59:59.123456789",
		"292277026596-12-04", "99999999999999999999-01-01", "2024-01-02T03:04:05.123456789", "0000-00-00", "2024-02-30"}
	files := 0 // each has a name of its own: a file that takes the place of another goes to the disk
	for _, a := range far {
		for _, b := range far {
			for name, text := range map[string]string{"a.csv": "day\n" + a + "\n" + b + "\n", "a.json": fmt.Sprintf(`[{"day": %q}, {"day": %q}]`, a, b)} {
				files++
				path := filepath.Join(dir, fmt.Sprint(files, name))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
				for _, opts := range [][]CSVOption{nil, {ColumnType("day", DateTime(Nanosecond))}, {ColumnType("day", DateTime(Second))}, {DateFormat("2006-01-02")}} {
					var column *Array
					err := readsOrSays(t, func(path string) error {
						_, columns, err := LoadTable(path, opts...)
						if err == nil {
							column = columns[0]
						}
						return err
					}, path, a+" and "+b)
					if err == nil && opts == nil { // what was text stays so, dates are the ones that were written
						text := column.AsType(Str(0)).Strings()
						for i, want := range []string{a, b} {
							require.True(t, strings.HasPrefix(text[i], want) || strings.HasPrefix(want, strings.TrimRight(text[i], "0")), "%s came back as %s, in %v", want, text[i], column.DType())
						}
					}
				}
			}
		}
	}
	for _, d := range []DType{DateTime(Year), DateTime(Day), DateTime(Hour), DateTime(Second), DateTime(Millisecond), DateTime(Nanosecond), TimeDelta(Day), TimeDelta(Second), TimeDelta(Nanosecond)} {
		for _, v := range []int64{math.MaxInt64, math.MinInt64 + 1, 1 << 55, -1 << 55, 1 << 40} {
			x := FromSlice([]int64{v, 0}).AsType(d)
			for _, end := range []string{".npy", ".npz", ".csv", ".json", ".arrow", ".arrows"} {
				files++
				path := filepath.Join(dir, fmt.Sprint(files, "far", end))
				save := func() (err error) {
					switch end {
					case ".npy":
						return Save(path, x)
					case ".npz":
						return SaveZ(path, map[string]any{"x": x})
					}
					return SaveTable(path, []string{"x"}, []*Array{x})
				}
				var err error
				require.NotPanics(t, func() { err = save() }, "%v %d %s", d, v, end)
				if err != nil {
					require.NotRegexp(t, ofGo, err.Error())
					continue
				}
				for _, read := range readersOf[end] {
					_ = readsOrSays(t, read, path, fmt.Sprint(d, v, end))
				}
				if end == ".npy" {
					back, err := Load(path)
					require.NoError(t, err)
					require.NotPanics(t, func() { _ = back.String() }, "%v %d", d, v)
				}
			}
		}
	}
}

// TestDamagedMember: what is wrong with a member of an archive is said with its name, once.
func TestDamagedMember(t *testing.T) {
	path := archiveOf(t, []byte("no array"))
	_, err := LoadZ(path)
	require.EqualError(t, err, "load: "+path+": x.npy: this is not a .npy file: it does not begin as one")
}

// TestReadersOfOthers: a panic of the caller's reader goes on, as that of an interrupt, and is not taken for a fault of
// the file.
func TestReadersOfOthers(t *testing.T) {
	for name, read := range map[string]func(){
		"csv":   func() { _, _ = ReadCSV(panicking{}) },
		"npy":   func() { _, _ = ReadNPY(panicking{}) },
		"arrow": func() { _, _, _ = ReadArrow(panicking{}) },
		"json":  func() { _, _, _ = ReadRecords(panicking{}) },
		"image": func() { _, _ = ReadImage(panicking{}) },
	} {
		assert.PanicsWithValue(t, panicking{}, read, name)
	}
}

type panicking struct{}

func (p panicking) Read([]byte) (int, error) { panic(p) }

// TestRecordsInJSON: records are tables, with and without masks, and columns can be chosen.
func TestRecordsInJSON(t *testing.T) {
	text := `[{"n": 1, "x": 0.5, "ok": true, "name": "a", "big": 18446744073709551615, "day": "2024-01-02"},
		{"n": null, "x": null, "ok": null, "name": null, "day": null}, {"extra": 2}]`
	path := filepath.Join(t.TempDir(), "t.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	names, columns, err := LoadTable(path)
	require.NoError(t, err)
	assert.Equal(t, []string{"n", "x", "ok", "name", "big", "day", "extra"}, names)
	for i, want := range []string{"[ 1. nan nan]", "[0.5 nan nan]", "['True' '' '']", "['a' '' '']", "['18446744073709551615' '' '']", "['2024-01-02'        'NaT'        'NaT']", "[nan nan  2.]"} {
		assert.Equal(t, want, columns[i].String(), names[i])
	}
	masks := map[string][]bool{}
	var how CSVReport
	names, columns, err = LoadTable(path, MissingInto(masks), Columns("ok", "n", "big"), Report(&how))
	require.NoError(t, err)
	assert.Equal(t, []string{"ok", "n", "big"}, names)
	assert.Equal(t, []DType{Bool, Int64, Uint64}, []DType{columns[0].DType(), columns[1].DType(), columns[2].DType()})
	assert.Equal(t, map[string][]bool{"n": {false, true, true}, "ok": {false, true, true}, "big": {false, true, true}}, masks)
	_, err = LoadJSON(path)
	assert.ErrorContains(t, err, "LoadTable, LoadColumns and frames.Read give records as columns")
	_, _, err = LoadTable(path, Columns("z"))
	assert.ErrorContains(t, err, `there is no column "z"; the records have "n"`)
	_, _, err = LoadTable(path, Header(true))
	assert.ErrorContains(t, err, "Header is for files of text")

	var b bytes.Buffer
	require.NoError(t, WriteRecords(&b, names, columns, MissingInto(masks)))
	assert.Equal(t, `[{"ok":true,"n":1,"big":18446744073709551615},{"ok":null,"n":null,"big":null},{"ok":null,"n":null,"big":null}]`, b.String())
	zipped := new(bytes.Buffer)
	z := gzip.NewWriter(zipped)
	require.NoError(t, z.Close())
	_, _, err = ReadRecords(zipped)
	assert.ErrorContains(t, err, "readrecords: this is not valid JSON, at byte ")
}
