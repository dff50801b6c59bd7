package frames

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

const large = 1<<53 + 1 // float64 rounds it

func TestMissingWholeNumbersStayWhole(t *testing.T) {
	table := New("id", Masked([]int64{large, 9, 3}, []bool{false, true, false}), "ok", Masked([]bool{true, true, false}, []bool{false, false, true}), "x", []float64{1, 2, math.NaN()})
	for _, c := range []struct {
		what *Table
		want string
	}{
		{table, "[9007199254740993 0 3] [false true false]"},
		{table.Sort("-id"), "[9007199254740993 3 0] [false false true]"},
		{table.Rows(1, 3), "[0 3] [true false]"},
		{table.Where(table.Column("ok")), "[9007199254740993 0] [false true]"},
		{table.DropMissing("id"), "[9007199254740993 3] [false false]"},
	} {
		id := c.what.Column("id")
		assert.Equal(t, np.Int64, id.DType())
		assert.Equal(t, c.want, fmt.Sprint(id.Filled(0).Int64s(), id.Missing().Bools()))
	}
	assert.PanicsWithError(t, `frames.Col: column "id": some values are missing, and whole numbers beyond 2^53 would be rounded in a float64 array with NaN: Column(name).Filled(0) keeps them, and Column(name).Missing() tells which are missing`,
		func() { table.Col("id") })
	assert.Equal(t, "[ 1.  1. nan]", fmt.Sprint(table.Col("ok")), "numbers and NaN, so that what is computed is right")
	assert.Equal(t, "[ 3. nan]", fmt.Sprint(New("id", Masked([]int{3, 4}, []bool{false, true})).Col("id")))
	assert.Equal(t, "[ 3 -1]", fmt.Sprint(Masked([]int{3, 4}, []bool{false, true}).Filled(-1)))
	assert.Equal(t, "[3 4]", fmt.Sprint(New("id", Masked([]int{3, 4}, []bool{false, false})).Col("id")), "nothing is missing")
	assert.Equal(t, "              id  ok      x\n9007199254740993  True    1\n            <NA>  True    2\n               3  <NA>  NaN\n3 rows × 3 columns", table.String())
}

// TestComparisonsWithMissingOnes: the one rule, and that of arrays beside it.
func TestComparisonsWithMissingOnes(t *testing.T) {
	days := arrays.FromSlice([]string{"2026-01-01", "NaT", "2026-01-02"}).AsType(arrays.DateTime(arrays.Day))
	table := New("n", Masked([]int{1, 2, 3}, []bool{false, true, false}), "x", []float64{1, math.NaN(), 3}, "s", []string{"a", "", "c"}, "d", days)
	for name, v := range map[string]any{"n": 3, "x": 3.0, "s": "c", "d": days.At(2)} {
		c := table.Column(name)
		for what, k := range map[string]*Column{"Eq": c.Eq(v), "Ne": c.Ne(v), "Lt": c.Lt(v)} {
			assert.Equal(t, np.Bool, k.DType())
			assert.Equal(t, "[false true false]", fmt.Sprint(k.Missing().Bools()), "%s %s", name, what)
			assert.Equal(t, 1, table.Where(k).Len(), "%s %s", name, what)
		}
	}
	assert.Equal(t, 2, table.Where(table.Col("x").NotEqual(3)).Len(), "NaN of an array is unequal to all")
	assert.Equal(t, 1, table.Where(table.Col("n").Less(2)).Len())
}

// randomColumns makes a table of all dtypes that files keep, with missing values.
func randomColumns(r *rand.Rand, rows int) *Table {
	gone := func() []bool {
		out := make([]bool, rows)
		for i := range out {
			out[i] = i > 0 && r.IntN(4) == 0 // the first tells the dtype
		}
		return out
	}
	n, u, x, ok, s, d := make([]int64, rows), make([]uint64, rows), make([]float64, rows), make([]bool, rows), make([]string, rows), make([]int64, rows)
	for i := range rows {
		n[i], u[i], x[i], ok[i] = int64(r.Uint64()), r.Uint64()|1<<63, r.NormFloat64()*math.Pow(10, float64(r.IntN(20)-10)), r.IntN(2) == 0
		s[i], d[i] = []string{"x", "Köln", `say "no"`, "a,b", "line\nbreak", "null", "12"}[r.IntN(7)], r.Int64N(30000)-5000
	}
	s[0] = "word"
	days := arrays.FromSlice(d).AsType(arrays.DateTime(arrays.Day))
	out := New()
	for name, values := range map[string]any{"n": n, "u u": u, "x": x, "ok": ok, `"s"`: s, "d": days} {
		out.Set(name, Masked(values, gone()))
	}
	return out
}

func sameTable(t *testing.T, want, got *Table, what string) {
	t.Helper()
	require.Equal(t, want.Names(), got.Names(), what)
	for _, name := range want.Names() {
		a, b := want.Column(name), got.Column(name)
		if !a.DType().IsString() {
			require.Equal(t, a.DType(), b.DType(), "%s of %s", name, what)
		}
		require.Equal(t, a.Missing().Bools(), b.Missing().Bools(), "%s of %s", name, what)
		there := a.missing().LogicalNot()
		require.True(t, a.values.Array().At(there).Equal(b.values.Array().At(there)).AllTrue().Bool(), "%s of %s: %v, not %v", name, what, b, a)
	}
}

// TestFilesKeepMissingOnes: random tables are read back as they were written, in each format.
func TestFilesKeepMissingOnes(t *testing.T) {
	testsize.InTurn(t, 0)
	dir := t.TempDir()
	for seed := range uint64(40) {
		table := randomColumns(rand.New(rand.NewPCG(seed, 17)), 1+int(seed)%13)
		for _, file := range []string{"t.csv", "t.tsv", "t.csv.gz", "t.arrow", "t.json", "t.jsonl"} {
			path := filepath.Join(dir, file)
			require.NoError(t, table.Write(path))
			got, err := Read(path)
			require.NoError(t, err)
			sameTable(t, table, got, fmt.Sprintf("seed %d, %s", seed, file))
		}
		text, err := json.Marshal(table)
		require.NoError(t, err)
		var got Table
		require.NoError(t, json.Unmarshal(text, &got))
		sameTable(t, table, &got, "MarshalJSON")
	}
	for _, empty := range []*Table{New(), New("x", []int{})} {
		text, err := json.Marshal(empty)
		require.NoError(t, err)
		require.Equal(t, "[]", string(text))
	}
}

// TestRecords: what records may be, by hand.
func TestRecords(t *testing.T) {
	testsize.InTurn(t, 0)
	for text, want := range map[string]string{
		`[]`:                                     "\n0 rows × 0 columns",
		`[{"a":1},{"b":"x"},{"a":2.5,"b":null}]`: "  a  b\n1.0\nNaN  x\n2.5\n3 rows × 2 columns",
		"{\"a\":1}\n{\"a\":null}\n":              "   a\n   1\n<NA>\n2 rows × 1 column",
		`[{"d":"2026-01-05"},{"d":"2026-01-05T10:30"},{"d":null}]`: "d\n2026-01-05T00:00\n2026-01-05T10:30\nNaT\n3 rows × 1 column",
		`[{"d":"2026-02-31"}]`:                 "d\n2026-02-31\n1 row × 1 column", // no day: text
		`[{"n":18446744073709551615},{"n":1}]`: "                   n\n18446744073709551615\n                   1\n2 rows × 1 column",
		`[{"n":18446744073709551617},{"n":1}]`: "n\n18446744073709551617\n1\n2 rows × 1 column\ncolumn n is text: no dtype of numbers has all of it exactly, as 18446744073709551617",
		`[{"n":9007199254740993},{"n":0.5}]`:   "n\n9007199254740993\n0.5\n2 rows × 1 column\ncolumn n is text: no dtype of numbers has all of it exactly, as 9007199254740993",
		`[{"ok":true},{},{"ok":false}]`:        "ok\nTrue\n<NA>\nFalse\n3 rows × 1 column",
		`[{"a":null}]`:                         "  a\nNaN\n1 row × 1 column",
	} {
		got, err := readRecords([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, got.String(), text)
	}
	for text, want := range map[string]string{
		`[{"a":1},{"a":"x"}]`: `column "a": row 1 has the text "x", and another row the number 1; a column has values of one kind`,
		`[{"a":[1]}]`:         `row 0, column "a": the value is a list`,
		`[{"a":1,"a":2}]`:     `row 0 has column "a" twice`,
		`[1,2]`:               `element 0 of the list is the number 1; a table is a list of records`,
		`3`:                   `this is the number 3; a table is a list of records`,
		`[{"a":1}`:            `the JSON text ends too early`,
		`[{"a":1}] x`:         `there is more text after the list`,
		`[{"a":1e999}]`:       `too large for float64`,
		"{\"a\":1}\n[2]":      `after 1 records there is a list`,
		`[{"a":1},{"a":tru}]`: `not valid JSON`,
	} {
		_, err := readRecords([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
	long, err := readRecords([]byte("[" + strings.Repeat(`{"s":"x"},`, 300_000) + `{"s":"` + strings.Repeat("y", 900_000) + `"}]`))
	require.NoError(t, err, "an array would take 10^12 bytes")
	require.Len(t, long.Strings("s")[300_000], 900_000)
	require.Equal(t, np.StringDType, long.Column("s").DType())
	_, err = New("x", []float64{math.Inf(1)}).MarshalJSON()
	require.ErrorContains(t, err, `column "x"`)
	_, err = Read("t.json", np.Header(true))
	require.ErrorContains(t, err, "leave it out")
}

// TestMoreMistakes: each panics with the error of a cell.
func TestMoreMistakes(t *testing.T) {
	table := New("people", []int{1, 2}, "name", []string{"a", "b"}, "c", []complex128{1, 2}, "ok", []bool{true, false})
	other := New("name", []int{1, 2}, "city", []string{"a", "b"})
	for want, f := range map[string]func(){
		`there is no column "pepole" (did you mean "people"?); the table has "people", "name"`: func() { table.Column("pepole") },
		`there is no column "Name" (did you mean "name"?)`:                                     func() { table.Sort("Name") },
		`frames.Join, in the right table: there is no column "people"`:                         func() { table.Join(other, On("people")) },
		`the key "name" is <U1 and "name" of the right table int64`:                            func() { table.Join(other) },
		`the tables have no column in common`:                                                  func() { table.Join(New("zip", 1)) },
		`the key "name" is named twice`:                                                        func() { table.Join(table, On("name", "name")) },
		`two columns of the result would be named "people"`:                                    func() { table.Join(table, On("name"), Suffixes("", "")) },
		`there is no join JoinKind(7)`:                                                         func() { table.Join(table, JoinKind(7)) },
		`column "name" cannot be named "people": another one is`:                               func() { table.Rename("name", "people") },
		`column "name" is <U1; only numbers have a median`:                                     func() { table.GroupBy("people").Agg(Median("name")) },
		`two columns of the result are named "size"`:                                           func() { table.Agg(Size(), Size()) },
		`is an empty Aggregation`:                                                              func() { table.Agg(Aggregation{}) },
		`column "name" is named twice`:                                                         func() { table.GroupBy("name", "name") },
		`column "people" is named twice`:                                                       func() { table.Select("people", "people") },
		`which have no dtype together`:                                                         func() { table.Array("people", "name") },
		`it must be bool and have an element for each of the 2 values`:                         func() { Masked([]int{1, 2}, []bool{true}) },
		`a column is 1-d`:                            func() { NewColumn(np.Zeros(2, 2)) },
		`text is filled by text`:                     func() { table.Column("name").Filled(1) },
		`has a fraction`:                             func() { table.Column("people").Filled(0.5) },
		`does not fit int8`:                          func() { Masked(np.FromSlice([]int8{1}), []bool{true}).Filled(300) },
		`say true or false`:                          func() { table.Column("ok").Filled(2) },
		`the column is int64; it must be text`:       func() { table.Column("people").Lower() },
		`the column is int64; it must be datetime64`: func() { table.Column("people").Year() },
		`the separator is empty`:                     func() { table.Column("name").Split("") },
		`3 values are compared with the 2`:           func() { table.Column("people").Eq([]int{1, 2, 3}) },
		`only bools have a contrary`:                 func() { table.Column("people").Not() },
		`both must be bool`:                          func() { table.Column("people").And(table.Column("ok")) },
	} {
		func() {
			defer func() {
				err, ok := recover().(error)
				require.True(t, ok, "no error with %q", want)
				require.ErrorContains(t, err, want)
			}()
			f()
		}()
	}
}

// TestJoinAsLoops: the plain definition of a join, two loops, is the judge of keys of several dtypes, one of which is
// float.
func TestJoinAsLoops(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 4))
		n, m := r.IntN(30), r.IntN(30)
		a, b := make([]int64, n), make([]float64, m)
		for i := range a {
			a[i] = r.Int64N(8) - 2
		}
		for i := range b {
			b[i] = float64(r.IntN(16)-4) / 2
		}
		var want []string
		for i := range a {
			for j := range b {
				if float64(a[i]) == b[j] {
					want = append(want, fmt.Sprint(a[i], i, j))
				}
			}
		}
		got := New("k", a, "i", np.Arange(n)).Join(New("q", b, "j", np.Arange(m)), OnPair("k", "q"))
		require.Equal(t, []string{"k", "i", "q", "j"}, got.Names())
		var rows []string
		for i := range got.Len() {
			rows = append(rows, fmt.Sprint(got.Col("k").Ints()[i], got.Col("i").Ints()[i], got.Col("j").Ints()[i]))
		}
		require.Equal(t, want, rows)
	}
}

// TestFitsTheTerminal: no line is wider than the terminal, the first and last columns are there, and what is left out
// is marked once.
func TestFitsTheTerminal(t *testing.T) {
	defer display.SetScreen(display.CurrentScreen())
	wide := New()
	for i := range 40 {
		wide.Set(fmt.Sprintf("column %02d", i), []string{strings.Repeat("日本", i%7), "x"})
	}
	for _, columns := range []int{12, 20, 40, 80, 200, 1000} {
		display.SetScreen(display.Screen{Columns: columns, Rows: 24})
		text := wide.String()
		lines := strings.Split(text, "\n")
		for _, line := range lines[:len(lines)-1] {
			require.LessOrEqual(t, newShown([]string{line}, false, "").width, columns, text)
		}
		if columns >= 20 { // else the first name is cut, too
			require.Equal(t, 1, strings.Count(lines[0], "…"), text)
		}
		require.True(t, strings.HasPrefix(lines[0], "column"), text)
		require.Equal(t, "2 rows × 40 columns", lines[len(lines)-1])
	}
	display.SetScreen(display.Screen{Columns: 30, Rows: 24})
	assert.Equal(t, "a                            …\nlonglonglonglonglonglonglo…  …\n1 row × 2 columns", New("a", strings.Repeat("long", 12), "b", 2).String())
}

// readRecords reads a table of JSON records.
func readRecords(text []byte) (*Table, error) {
	t := new(Table)
	return t, t.UnmarshalJSON(text)
}
