package frames

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// pandasColumn is a column as tests/golden/make_frames.py writes it: null is missing.
type pandasColumn struct {
	Name, DType string
	Values      []json.RawMessage
}

type pandasCase struct {
	Op           string
	Tables       [][]pandasColumn
	By           []string
	How          string
	Suffixes     []string
	Aggregations [][3]string
	Compare      string
	Part, Other  string
	Text         string
	Steps        []pandasStep
	Want         []pandasColumn
}

type pandasCases struct {
	Pandas string
	Seed   uint64
	Cases  []pandasCase
}

// TestAsPandas: what is done with random tables has the values, dtypes and missing values that pandas gives, but for
// what docs/numpy.md names.
func TestAsPandas(t *testing.T) {
	testsize.InTurn(t, 0)
	text, err := os.ReadFile("testdata/frames.json")
	require.NoError(t, err)
	var golden pandasCases
	require.NoError(t, json.Unmarshal(text, &golden))
	require.GreaterOrEqual(t, len(golden.Cases), 400)
	golden.judge(t)
}

// TestAsPandasAnew is TestAsPandas of cases that pandas makes now; those of a failure come again by PANDAS_SEED.
func TestAsPandasAnew(t *testing.T) {
	python := judges.Python(t, "pandas")
	seed := os.Getenv("PANDAS_SEED")
	if seed == "" {
		seed = strconv.Itoa(10 + testsize.Turn())
	}
	n := strconv.Itoa(testsize.Of("lazy/frames.TestAsPandasAnew"))
	cmd := exec.Command(python, "-W", "ignore", "../../tests/golden/make_frames.py", seed, n)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	require.NoError(t, err)
	var anew pandasCases
	require.NoError(t, json.Unmarshal(text, &anew))
	t.Logf("seed %s", seed)
	anew.judge(t)
}

func (p pandasCases) judge(t *testing.T) {
	count := map[string]int{}
	for i, c := range p.Cases {
		what := fmt.Sprintf("seed %d, case %d, %s", p.Seed, i, c.Op)
		var tables []*Table
		for _, columns := range c.Tables {
			tables = append(tables, ofPandas(t, columns))
		}
		t.Run(what, func(t *testing.T) { c.compare(t, what, c.run(t, tables)) })
		count[c.Op]++
	}
	t.Logf("%d cases as pandas %s: %v", len(p.Cases), p.Pandas, count)
}

func ofPandas(t *testing.T, columns []pandasColumn) *Table {
	out := New()
	for _, p := range columns {
		gone := make([]bool, len(p.Values))
		for i, v := range p.Values {
			gone[i] = string(v) == "null"
		}
		out.Set(p.Name, ofPandasColumn(t, p).without(arrays.FromSlice(gone)))
	}
	return out
}

func decoded[T any](t *testing.T, values []json.RawMessage) []T {
	out := make([]T, len(values))
	for i, v := range values {
		if string(v) != "null" {
			require.NoError(t, json.Unmarshal(v, &out[i]), "%s", v)
		}
	}
	return out
}

func ofPandasColumn(t *testing.T, p pandasColumn) *Column {
	switch p.DType {
	case "int64":
		return eager(decoded[int64](t, p.Values))
	case "int32":
		return eager(decoded[int32](t, p.Values))
	case "uint64":
		return eager(decoded[uint64](t, p.Values))
	case "float64":
		return eager(decoded[float64](t, p.Values))
	case "bool":
		return eager(decoded[bool](t, p.Values))
	case "text":
		return eager(decoded[string](t, p.Values))
	}
	require.Equal(t, "datetime64[us]", p.DType)
	v := decoded[string](t, p.Values)
	for i, s := range v {
		if s == "" {
			v[i] = "NaT"
		}
	}
	return NewColumn(arrays.FromSlice(v).AsType(arrays.DateTime(arrays.Microsecond)))
}

func aggregations(list [][3]string) []Aggregation {
	var out []Aggregation
	for _, a := range list {
		if a[0] == "Size" {
			out = append(out, Size().As(a[2]))
			continue
		}
		of := map[string]func(string) Aggregation{"Sum": Sum, "Mean": Mean, "Median": Median, "Var": Var, "Std": Std, "Min": Min, "Max": Max, "First": First,
			"Last": Last, "Count": Count, "NUnique": NUnique}[a[0]]
		out = append(out, of(a[1]).As(a[2]))
	}
	return out
}

func (c pandasCase) run(t *testing.T, tables []*Table) *Table {
	return c.after(tables, func(s pandasStep, x *Table) *Table { return s.run(t, x) })
}

func (c pandasCase) after(tables []*Table, step func(pandasStep, *Table) *Table) *Table {
	t := tables[0]
	switch c.Op {
	case "group":
		return t.GroupBy(c.By...).Agg(aggregations(c.Aggregations)...)
	case "whole":
		return t.Agg(aggregations(c.Aggregations)...)
	case "sort":
		return t.Sort(c.By...)
	case "join":
		kind := map[string]JoinKind{"inner": Inner, "left": Left, "right": Right, "outer": Outer}[c.How]
		return t.Join(tables[1], On(c.By...), kind, Suffixes(c.Suffixes[0], c.Suffixes[1]))
	case "unique":
		return t.Unique(c.By...)
	case "counts":
		return t.ValueCounts("a")
	case "drop":
		return t.DropMissing(c.By...)
	case "where":
		a := t.Column("a")
		f := map[string]func(any) *Column{"Eq": a.Eq, "Ne": a.Ne, "Lt": a.Lt, "Le": a.Le, "Gt": a.Gt, "Ge": a.Ge}[c.Compare]
		return t.Where(f(t.Column("c")))
	case "logic":
		a, b := t.Column("a"), t.Column("b")
		return New("and", a.And(b), "or", a.Or(b), "not", a.Not())
	case "text":
		s := t.Column("s")
		out := New("Lower", s.Lower(), "Upper", s.Upper(), "Strip", s.Strip(), "Replace", s.Replace(c.Part, c.Other), "Contains", s.Contains(c.Part),
			"StartsWith", s.StartsWith(c.Part), "EndsWith", s.EndsWith(c.Part), "Length", s.Length())
		for i, part := range s.Split(c.Part) {
			out.Set(fmt.Sprintf("part %d", i), part)
		}
		return out
	case "dates":
		d := t.Column("d")
		return New("Year", d.Year(), "Quarter", d.Quarter(), "Month", d.Month(), "Day", d.Day(), "DayOfYear", d.DayOfYear(), "Weekday", d.Weekday(),
			"Hour", d.Hour(), "Minute", d.Minute(), "Second", d.Second(), "Date", d.Date())
	case "records":
		out, err := readRecords([]byte(c.Text))
		if err != nil {
			panic(err)
		}
		return out
	case "matrix":
		a := t.Array()
		out := New()
		for i, name := range t.Names() {
			out.Set(name, a.At(arrays.All, i).AsType(arrays.Float64))
		}
		return out
	case "chain":
		for _, s := range c.Steps {
			t = step(s, t)
		}
		return t
	case "describe":
		return t.Describe()
	}
	panic(c.Op)
}

func (p pandasColumn) missing() (n int) {
	for _, v := range p.Values {
		if string(v) == "null" {
			n++
		}
	}
	return n
}

// dtypeHere is the dtype that stands here for one of pandas, where a column has that name in the result of an
// operation.
func (c pandasCase) dtypeHere(p pandasColumn, got *Column) string {
	switch {
	case c.Op == "records" && p.missing() == len(p.Values):
		return "float64" // null tells nothing
	case c.Op == "records" && (p.DType == "int32" || p.DType == "uint64" && got.DType() == arrays.Int64):
		return "int64" // numbers tell no widths
	case c.Op == "records" && p.DType == "datetime64[us]":
		return got.DType().String() // as precise as the texts
	case c.Op == "dates" && p.Name == "Date":
		return "datetime64[D]" // pandas has no days
	case c.Op == "group" && strings.HasSuffix(p.Name, "_sum") && p.DType == "int32":
		return "int64" // as the sum of a column of int32
	case c.Op == "group" && strings.HasSuffix(p.Name, "_sum") && p.DType == "bool":
		return "int64"
	}
	return p.DType
}

func (c pandasCase) compare(t *testing.T, what string, got *Table) {
	var names []string
	for _, p := range c.Want {
		names = append(names, p.Name)
	}
	require.Equal(t, names, got.Names(), what)
	for _, p := range c.Want {
		x := got.Column(p.Name)
		where := fmt.Sprintf("%s %v, column %q\nhere %v\npandas %s %s", what, c.Steps, p.Name, got, p.DType, p.Values)
		require.Equal(t, len(p.Values), x.Len(), where)
		kind := x.DType().String()
		if x.DType().IsString() {
			kind = "text"
		}
		require.Equal(t, c.dtypeHere(p, x), kind, where)
		gone := x.missing().Bools()
		for row, v := range p.Values {
			at := fmt.Sprintf("row %d of %s", row, where)
			if string(v) == "null" || string(v) == `""` { // empty text is missing here
				require.True(t, gone[row], at)
				continue
			}
			require.False(t, gone[row], at)
			one := x.values.Array().At(row)
			var text string
			_ = json.Unmarshal(v, &text)
			switch d := x.DType(); {
			case d.IsString():
				require.Equal(t, text, one.Item(), at)
			case d.IsTime():
				want := arrays.FromSlice([]string{text}).AsType(d)
				require.True(t, want.Equal(one).AllTrue().Bool(), at)
			case d.IsBool():
				require.Equal(t, string(v) == "true", one.Bool(), at)
			case d.IsFloat():
				want, err := strconv.ParseFloat(strings.Trim(string(v), `"`), 64)
				require.NoError(t, err)
				if math.Abs(want-one.Float64()) > 1e-12*math.Abs(want)+1e-300 {
					require.InDelta(t, want, one.Float64(), 1e-9*math.Abs(want)+1e-12, at)
				}
			default:
				require.Equal(t, string(v), fmt.Sprint(one.Item()), at)
			}
		}
	}
}
