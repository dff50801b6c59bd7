package arrays

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadCSV(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       []CSVOption
		want       string
	}{
		{"numbers", "1,2\n3,4\n", nil, "[[1. 2.]\n [3. 4.]]"},
		{"header", "a,b\n1,2\n", nil, "[[1. 2.]]"},
		{"quoted header, byte order mark", "\ufeff\"a, x\",b\n1,2\n", nil, "[[1. 2.]]"},
		{"comments, spaces, no last newline, CRLF", "# made by hand\r\na, b\r\n 1 , 2\r\n# end\r\n3,4", nil, "[[1. 2.]\n [3. 4.]]"},
		{"empty cells", "a,b\n,2\nNA,inf\n", nil, "[[nan  2.]\n [nan inf]]"},
		{"columns", "day,x,y\nMon,1,2\nTue,3,4\n", []CSVOption{Columns("y", "x")}, "[[2. 1.]\n [4. 3.]]"},
		{"delimiter", "1;2\n", []CSVOption{Delimiter(';')}, "[[1. 2.]]"},
		{"tabs", "1\t2\n", []CSVOption{Delimiter('\t')}, "[[1. 2.]]"},
		{"aligned with spaces", "  x    y\n  1   20 \n 30    4\n", []CSVOption{Delimiter(' ')}, "[[ 1. 20.]\n [30.  4.]]"},
		{"skipped lines", "178,13,class_0\n1,2\n3,4\n", []CSVOption{SkipLines(1)}, "[[1. 2.]\n [3. 4.]]"},
		{"header of numbers", "1990,1991\n5,6\n", []CSVOption{Header(true)}, "[[5. 6.]]"},
		{"header alone", "a,b\n", nil, "[]"},
	} {
		a, err := LoadCSV(writeFile(t, "data.csv", c.text), c.opts...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if a.String() != c.want || a.DType() != Float64 || a.NDim() != 2 {
			t.Errorf("%s: got %v %v\n%v\nwant\n%s", c.name, a.DType(), a.Shape(), a, c.want)
		}
	}
}

func TestLoadCSVErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       []CSVOption
		want       string
	}{
		{"word", "a,b\n1,2\n3,four\n", nil, `line 3, column 2 (b): "four" is not a number`},
		{"word after skipped and comment lines", "junk\n# c\na,b\n1,x\n", []CSVOption{SkipLines(1)}, `line 4, column 2 (b): "x" is not a number`},
		{"word in the first row", "1,x\n1,2\n", []CSVOption{Header(false)}, `line 1, column 2: "x" is not a number; if the first row holds names, say so with Header(true)`},
		{"ragged", "1,2\n3\n", nil, "line 2 has 1 cells, the first row has 2"},
		{"unknown column", "a,b\n1,2\n", []CSVOption{Columns("c")}, `there is no column "c"; the header has "a", "b"`},
		{"columns without header", "1,2\n", []CSVOption{Columns("a")}, "it has no header"},
		{"quote", "a\n\"1\n", nil, "line 2, column 1: the quote that opens the cell is not closed"},
		{"empty", "", nil, "there are no rows"},
		{"not gzip", "1,2\n", nil, "cannot be decompressed"},
	} {
		name := "data.csv"
		if c.name == "not gzip" {
			name = "data.csv.gz"
		}
		path := writeFile(t, name, c.text)
		_, err := LoadCSV(path, c.opts...)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v; want the path and %q", c.name, err, c.want)
		}
	}
}

func TestLoadCSVNamesAMissingFile(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	_, err = LoadCSV("data/none.csv")
	want := "loadcsv: data/none.csv: cannot be opened: no such file or directory (looked for in directory " + filepath.Join(dir, "data") + ")"
	if err == nil || err.Error() != want || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v\nwant %s", err, want)
	}
	failed := caught(func() { Must(LoadCSV("none.csv")) })
	if failed == nil || !errors.Is(failed, fs.ErrNotExist) || failed.Op != "loadcsv" {
		t.Errorf("Must panics with %v", failed)
	}
}

func TestLoadCSVDecompresses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.csv.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	_, _ = z.Write([]byte("x\n1.5\n"))
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if a := Must(LoadCSV(path)); a.Float64(0, 0) != 1.5 {
		t.Errorf("got %v", a)
	}
}

// FuzzCSV reads arbitrary text: an error or a table, never a crash.
func FuzzCSV(f *testing.F) {
	f.Add("a,b\n1,2\n", ",", 0)
	f.Add("  1   2 \n\n3 4", " ", 0)
	f.Add("\"\n# x\r\n;;", ";", 1)
	f.Fuzz(func(t *testing.T, text, delimiter string, skip int) {
		if d, _ := utf8.DecodeRuneInString(delimiter); d != utf8.RuneError {
			a, err := readCSV(strings.NewReader(text), Delimiter(d), SkipLines(skip%4))
			if err == nil && (a.NDim() != 2 || len(a.Float64s()) != a.Shape()[0]*a.Shape()[1]) {
				t.Fatalf("%q gives shape %v", text, a.Shape())
			}
		}
	})
}

// TestLoadColumns: each column has the dtype that all its cells have.
func TestLoadColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mixed.csv")
	text := "city, n, price,when,open,stamp,hole,month\n" +
		"Köln,3,1.5,2024-02-29,true,2024-02-29T12:30,1,2024-01\n" +
		"\"Rio, de\",-4,NA,2023-12-31,False,2024-02-29,,2024-02\n" +
		" x ,5,2e3,,TRUE,NA,3,2024-03\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := LoadColumns(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"city": "<U7 ['Köln' 'Rio, de' 'x']", "n": "int64 [ 3 -4  5]", "price": "float64 [1.5e+00     nan 2.0e+03]", "when": "datetime64[D] ['2024-02-29' '2023-12-31'        'NaT']",
		"open": "bool [ True False  True]", "stamp": "datetime64[m] ['2024-02-29T12:30' '2024-02-29T00:00'              'NaT']", "hole": "float64 [ 1. nan  3.]",
		"month": "<U7 ['2024-01' '2024-02' '2024-03']", // a year or a month alone is too easily something else
	} {
		if a := got[name]; a == nil || a.DType().String()+" "+a.String() != want {
			t.Errorf("%s: got %v, want %s", name, a, want)
		}
	}
	if len(got) != 8 {
		t.Errorf("%d columns", len(got))
	}
	some, err := LoadColumns(path, Columns("n", "city"))
	if err != nil || len(some) != 2 || some["n"].Sum().Int() != 4 {
		t.Errorf("two columns: %v %v", some, err)
	}
	if _, err := LoadCSV(path); err == nil || !strings.Contains(err.Error(), "LoadColumns") {
		t.Errorf("LoadCSV of text: %v", err)
	}
	if err := os.WriteFile(path, []byte("a,a\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadColumns(path); err == nil || !strings.Contains(err.Error(), `two columns are named "a"`) {
		t.Errorf("two names: %v", err)
	}
	plain, err := LoadColumns(path, SkipLines(1))
	if err != nil || plain["1"].Int() != 2 {
		t.Errorf("without names: %v %v", plain, err)
	}
}

// TestEmptyCellsBetweenTabs: they are cells too, the first and the last of a line as well.
func TestEmptyCellsBetweenTabs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.tsv")
	if err := os.WriteFile(path, []byte("a\tb\tc\n\t2\t3\n1\t\t\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := LoadCSV(path, Delimiter('\t'))
	if err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got.Float64s()); s != "[NaN 2 3 1 NaN NaN]" {
		t.Errorf("read %s", s)
	}
}
