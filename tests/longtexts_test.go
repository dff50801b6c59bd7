package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/lazy/frames"
)

// TestMessagesAreShort: what data says is in messages as its first sixty characters: names, cells and words of any
// length.
func TestMessagesAreShort(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		assert.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	two := frames.New("a", []int{1, 2}, "b", []string{long, "y"})
	named := frames.New(long, []int{1, 2}, long+"y", []int{3, 4})
	texts := arrays.FromSlice([]string{long, "1"})
	for name, f := range map[string]func() error{
		"Col":            func() error { two.Col(long); return nil },
		"Select":         func() error { two.Select(long, "a"); return nil },
		"Drop":           func() error { two.Drop(long); return nil },
		"Sort":           func() error { two.Sort(long); return nil },
		"GroupBy":        func() error { two.GroupBy(long); return nil },
		"Sum":            func() error { two.GroupBy("a").Sum("b"); return nil },
		"With":           func() error { named.With(long, []int{1, 2, 3}); return nil },
		"Set":            func() error { named.Set(long, []int{1, 2, 3}); return nil },
		"names":          func() error { named.Col("z"); return nil },
		"the same name":  func() error { frames.New(long, []int{1}, long, []int{2}); return nil },
		"lengths":        func() error { frames.New(long, []int{1}, long+"z", []int{2, 3}); return nil },
		"no name":        func() error { frames.New(1, long); return nil },
		"AsType":         func() error { texts.AsType(arrays.Float64); return nil },
		"AsType int":     func() error { texts.AsType(arrays.Int64); return nil },
		"AsType date":    func() error { texts.AsType(arrays.DateTime(arrays.Day)); return nil },
		"AsType complex": func() error { texts.AsType(arrays.Complex128); return nil },
		"Set of a text":  func() error { arrays.Zeros(2).Set(long, 0); return nil },
		"Add":            func() error { texts.Add(1); return nil },
		"FromSlice":      func() error { arrays.FromSlice([]any{long, 1}); return nil },
		"Full":           func() error { arrays.Full(long, 2).Add(1); return nil },
		"lazy":           func() error { lazy.FromArray(texts).AsType(arrays.Float64).Array(); return nil },
		"LoadCSV":        func() error { _, err := arrays.LoadCSV(file("a.csv", "1,2\n"+long+",3\n\"")); return err },
		"LoadCSV numbers": func() error {
			_, err := arrays.LoadCSV(file("b.csv", "a,b\n1,2\n"+long+",3\n"), arrays.Columns(long))
			return err
		},
		"LoadTable":  func() error { _, _, err := arrays.LoadTable(file("c.csv", long+",b\n1,2,3\n")); return err },
		"JSON":       func() error { var a arrays.Array; return json.Unmarshal([]byte(`["`+long+`", 1]`), &a) },
		"JSON word":  func() error { var a arrays.Array; return json.Unmarshal([]byte(`[1, `+long+`]`), &a) },
		"JSON names": func() error { var a arrays.Array; return json.Unmarshal([]byte(`{"`+long+`": 1}`), &a) },
		"LoadJSON":   func() error { _, err := arrays.LoadJSON(file("a.json", `[{"`+long+`": `+long+`}]`)); return err },
		"npy": func() error {
			_, err := arrays.Load(file("a.npy", "\x93NUMPY\x01\x00\xff\xff{'descr': '"+strings.Repeat("x", 70000)))
			return err
		},
		"path of npy":       func() error { _, err := arrays.Load(long); return err },
		"path of npz":       func() error { _, err := arrays.LoadZ(long); return err },
		"path of CSV":       func() error { _, err := arrays.LoadCSV(long); return err },
		"path of columns":   func() error { _, _, err := arrays.LoadTable(long); return err },
		"path of Arrow":     func() error { _, _, err := arrays.LoadTable(long + ".arrow"); return err },
		"path of JSON":      func() error { _, err := arrays.LoadJSON(long); return err },
		"path of a picture": func() error { _, err := arrays.LoadImage(long); return err },
		"path of a table":   func() error { _, err := frames.Read(long); return err },
		"path of records":   func() error { _, err := frames.Read(long + ".json"); return err },
		"encoding":          func() error { _, err := arrays.LoadCSV(file("d.csv", "1,2\n"), arrays.Encoding(long)); return err },
		"date format":       func() error { _, err := arrays.LoadCSV(file("d.csv", "1,2\n"), arrays.DateFormat(long)); return err },
		"comment":           func() error { _, err := arrays.LoadCSV(file("d.csv", "1,2\n"), arrays.Comment(long+"\n")); return err },
		"a column that is not there": func() error {
			_, _, err := arrays.LoadTable(file("d.csv", "a,b\n1,2\n"), arrays.Columns(long))
			return err
		},
		"two of a name": func() error { _, _, err := arrays.LoadTable(file("e.csv", long+","+long+"\n1,2\n")); return err },
		"a cell of a type": func() error {
			_, _, err := arrays.LoadTable(file("f.csv", "a,b\n"+long+",2\n"), arrays.ColumnType("a", arrays.Int64))
			return err
		},
		"a width": func() error {
			_, _, err := arrays.LoadTable(file("f.csv", "a,b\n"+long+",2\n"), arrays.ColumnType("a", arrays.Str(3)))
			return err
		},
		"any length": func() error { arrays.FromSlice([]string{long + long, "1"}).AsType(arrays.Float64); return nil },
		"einsum":     func() error { arrays.Einsum(long, arrays.Eye(2)); return nil },
		"operator":   func() error { arrays.Wiring{}.Operate(long, 1, 2); return nil },
		"kind":       func() error { arrays.IsDType(arrays.Int64, long); return nil },
		"bins":       func() error { arrays.Histogram([]float64{1, 2}, long); return nil },
		"quantile":   func() error { arrays.Quantile([]float64{1, 2}, .5, arrays.QuantileMethod(long)); return nil },
		"trim":       func() error { arrays.TrimZeros([]float64{1, 2}, long); return nil },
		"records":    func() error { _, err := frames.Read(file("g.json", `[{"`+long+`":[1]}]`)); return err },
		"records of two kinds": func() error {
			_, err := frames.Read(file("h.json", `[{"`+long+`":1},{"`+long+`":"`+long+`"}]`))
			return err
		},
		"a key twice": func() error { _, err := frames.Read(file("i.json", `[{"`+long+`":1,"`+long+`":2}]`)); return err },
		"Arrow": func() error {
			return arrays.WriteArrow(&bytes.Buffer{}, []string{long, long}, []*arrays.Array{arrays.Zeros(1), arrays.Zeros(1)})
		},
	} {
		err := func() (err error) {
			defer func() {
				if v := recover(); v != nil {
					err = fmt.Errorf("%v", v)
				}
			}()
			return f()
		}()
		if assert.Error(t, err, name) {
			assert.Less(t, len(err.Error()), 1500, "%s: %.300s", name, err)
		}
	}
}
