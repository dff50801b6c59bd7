package frames

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// ofAnyLength is a column of StringDType.
func ofAnyLength(v []string) *Column {
	return &Column{values: np.FromSlice(v).AsType(arrays.StringDType)}
}

// wideTable is a table that no array holds: one name of a million letters among 20,000.
func wideTable(t *testing.T) (*Table, string) {
	path := filepath.Join(t.TempDir(), "wide.csv")
	var b strings.Builder
	b.WriteString("name,x\n" + strings.Repeat("n", 1_000_000) + ",1\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "ab%d,%d\n", i%7, i)
	}
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
	budget.Ask(func(what string, bytes int64) error { // much less than the 80 GB of an array
		if bytes > 64<<20 {
			return fmt.Errorf("%s takes %s", what, budget.Bytes(bytes))
		}
		return nil
	})
	t.Cleanup(func() { budget.Ask(nil) })
	table, err := Read(path)
	require.NoError(t, err)
	return table, path
}

// TestWideTexts: tables keep texts of very different lengths, and all that a table does works on them.
func TestWideTexts(t *testing.T) {
	table, path := wideTable(t)
	require.Equal(t, 20_001, table.Len())
	require.Len(t, table.Strings("name")[0], 1_000_000)
	require.Contains(t, table.String(), "nnn…")
	require.Equal(t, arrays.StringDType, table.Col("name").DType())
	rest := table.Rows(1, table.Len())
	assert.Equal(t, "ab3", rest.Col("name").At(3).Item())

	counts := table.GroupBy("name").Count()
	assert.Equal(t, 8, counts.Len())
	assert.Equal(t, []int64{2858, 2857, 2857, 2857, 2857, 2857, 2857, 1}, counts.Col("count").Int64s(), "20,000 over 7, and one")
	assert.Equal(t, "ab0", table.Sort("name").Strings("name")[0])
	assert.Len(t, table.Sort("-name").Strings("name")[0], 1_000_000)
	assert.Len(t, table.With("k", make([]int64, table.Len())).GroupBy("k").Max("name").Strings("name")[0], 1_000_000)
	assert.Equal(t, []int64{20_001}, table.With("k", make([]int64, table.Len())).GroupBy("k").Count("name").Col("name").Int64s())

	for _, ext := range []string{".csv", ".tsv.gz", ".arrow", ".arrows"} {
		again := filepath.Join(filepath.Dir(path), "again"+ext)
		require.NoError(t, table.Write(again), ext)
		back, err := Read(again)
		require.NoError(t, err, ext)
		assert.Equal(t, table.Strings("name"), back.Strings("name"), ext)
		assert.Equal(t, table.Col("x").Int64s(), back.Col("x").Int64s(), ext)
	}
}

// TestTextsOfAnyLengthDoAsThoseOfOneWidth: each method of a table gives the same for texts of StringDType and of Str.
// The table of calls names all methods of Table, so that a new one is tried, too.
func TestTextsOfAnyLengthDoAsThoseOfOneWidth(t *testing.T) {
	words := []string{"", "a", "é", "b\"c", "NA", "z", "ab", "aa"}
	r := rand.New(rand.NewPCG(5, 6))
	var text, other []string
	var x []int64
	for range 200 {
		text, other, x = append(text, words[r.IntN(len(words))]), append(other, words[r.IntN(3)]), append(x, int64(r.IntN(9)))
	}
	dir := t.TempDir()
	written := func(t *Table) string {
		path := filepath.Join(dir, "w.csv")
		if err := t.Write(path); err != nil {
			return err.Error()
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	calls := map[string]func(*Table) any{
		"Len": func(t *Table) any { return t.Len() }, "Names": func(t *Table) any { return t.Names() },
		"Col":     func(t *Table) any { return fmt.Sprint(t.Col("text")) + written(t) },
		"Strings": func(t *Table) any { return append(t.Strings("text"), t.Strings("other")...) },
		"Set": func(t *Table) any {
			t = t.clone()
			t.Set("text", t.Strings("other"))
			t.Set("new", t.Strings("text"))
			return written(t)
		},
		"With":   func(t *Table) any { return written(t.With("x", 1).With("text", t.Strings("other"))) },
		"Select": func(t *Table) any { return written(t.Select("text", "x")) + written(t.Select("text")) }, "Drop": func(t *Table) any { return written(t.Drop("x")) },
		"Rows": func(t *Table) any { return written(t.Rows(-5, -1)) + written(t.Rows(3, 900)) }, "Head": func(t *Table) any { return written(t.Head(3)) }, "Tail": func(t *Table) any { return written(t.Tail(3)) },
		"Where": func(t *Table) any { return written(t.Where(t.Col("x").Greater(4))) },
		"Sort":  func(t *Table) any { return written(t.Sort("text", "-x")) + written(t.Sort("-text", "other", "x")) },
		"GroupBy": func(t *Table) any {
			g := t.GroupBy("text", "other")
			return written(g.Count()) + written(g.Sum("x")) + written(t.GroupBy("x").Min("text")) + written(t.GroupBy("x").Max("text", "other")) + written(t.GroupBy("x").Count("text")) + written(t.GroupBy("other").Mean("x"))
		},
		"Describe": func(t *Table) any { return written(t.Describe()) }, "String": func(t *Table) any { return t.String() },
		"MIMEBundle": func(t *Table) any {
			return strings.NewReplacer(`title="&lt;U3,`, `title="text,`, `title="&lt;U1,`, `title="text,`).Replace(fmt.Sprint(t.MIMEBundle()))
		},
		"Write": func(t *Table) any { return written(t) },
		"Agg": func(t *Table) any {
			return written(t.Agg(Min("text"), Max("text"), First("text"), Last("text"), Count("text"), NUnique("text"), Sum("x"))) + written(t.GroupBy("text").Agg(Min("other"), Max("other"), First("other"), Last("other"), Count("other"), NUnique("other"), Mean("x"), Size()))
		},
		"Array":       func(t *Table) any { return fmt.Sprint(t.Array("text", "other")) },
		"Column":      func(t *Table) any { return t.Column("text").String() },
		"DropMissing": func(t *Table) any { return written(t.DropMissing("text")) + written(t.DropMissing()) },
		"Join": func(t *Table) any {
			right := t.Head(9).Select("text", "x").Unique("text").With("other", "Ulm")
			out := written(t.Join(right.Rename("text", "word"), OnPair("text", "word")))
			for _, kind := range []JoinKind{Inner, Left, Right, Outer} {
				out += kind.String() + written(t.Join(right, On("text"), kind)) + written(right.Join(t.Tail(50), On("text"), kind)) + written(right.Join(New("text", []string{"new", "a", ""}, "y", 1), kind)) + written(New("text", []string{"new", "a", ""}, "y", 1).Join(right, kind))
			}
			return out
		},
		"MarshalJSON":   func(t *Table) any { b, err := t.MarshalJSON(); return string(b) + fmt.Sprint(err) },
		"UnmarshalJSON": func(t *Table) any { return fmt.Sprint(t.UnmarshalJSON([]byte(`[{"a":1}]`))) + written(t) },
		"Rename":        func(t *Table) any { return written(t.Rename("text", "t")) },
		"Unique":        func(t *Table) any { return written(t.Unique("text")) + written(t.Unique("other", "text")) },
		"ValueCounts":   func(t *Table) any { return written(t.ValueCounts("text")) },
	}
	for m := range reflect.TypeFor[*Table]().Methods() {
		call := calls[m.Name]
		if !assert.NotNil(t, call, "a call of %s", m.Name) {
			continue
		}
		make := func(apart bool) *Table {
			out := New("text", text, "other", other, "x", x)
			if apart {
				out.columns[0], out.columns[1] = ofAnyLength(text), ofAnyLength(other)
			}
			return out
		}
		assert.Equal(t, fmt.Sprint(call(make(false))), fmt.Sprint(call(make(true))), m.Name)
	}
}

// TestColumnsOfAnyLengthDoAsThoseOfOneWidth is [TestTextsOfAnyLengthDoAsThoseOfOneWidth] of the methods of Column.
func TestColumnsOfAnyLengthDoAsThoseOfOneWidth(t *testing.T) {
	words := []string{"", "a", "é", "b\"c", " NA\n", "zß", "a-b", "-a-a"}
	r := rand.New(rand.NewPCG(7, 8))
	list, other := make([]string, 100), make([]string, 100)
	for i := range list {
		list[i], other[i] = words[r.IntN(len(words))], words[r.IntN(len(words))]
	}
	refused := func(f func()) (what any) {
		defer func() { what = fmt.Sprint(recover()) }()
		f()
		return nil
	}
	compared := func(f func(c *Column, v any) *Column) func(*Column) any {
		return func(c *Column) any {
			return fmt.Sprint(f(c, "a"), f(c, ""), f(c, other), f(c, ofTexts(other)), f(c, ofAnyLength(other)), f(ofTexts(other), c),
				refused(func() { f(c, other[:5]) }) != nil, refused(func() { f(c, 1) }) != nil, refused(func() { f(c, [][]string{other}) }) != nil)
		}
	}
	texts := func(of func(*Column) *Column) func(*Column) any {
		return func(c *Column) any { return of(c).Strings() }
	}
	shown := func(of func(*Column) *Column) func(*Column) any {
		return func(c *Column) any { return of(c).String() }
	}
	date := func(of func(*Column) *Column) func(*Column) any { // an error that names what the column is
		return func(c *Column) any {
			return strings.Replace(refused(func() { of(c) }).(string), "is <U4;", "is text;", 1)
		}
	}
	calls := map[string]func(*Column) any{
		"Array": func(c *Column) any { return c.Array().String() }, "Len": func(c *Column) any { return c.Len() }, "DType": func(c *Column) any { return c.DType().IsString() },
		"Missing": func(c *Column) any { return c.Missing().String() }, "Strings": func(c *Column) any { return c.Strings() },
		"Filled": func(c *Column) any {
			return fmt.Sprint(c.Filled("gone").Strings(), c.Filled(other).Strings(), refused(func() { c.Filled(1) }) != nil, refused(func() { c.Filled(other[1:]) }) != nil)
		},
		"String": func(c *Column) any { return c.String() },
		"MIMEBundle": func(c *Column) any {
			return strings.ReplaceAll(fmt.Sprint(c.MIMEBundle()), `title="&lt;U4`, `title="text`)
		},
		"Eq": compared((*Column).Eq), "Ne": compared((*Column).Ne), "Lt": compared((*Column).Lt), "Le": compared((*Column).Le), "Gt": compared((*Column).Gt), "Ge": compared((*Column).Ge),
		"Equal": compared((*Column).Equal), "NotEqual": compared((*Column).NotEqual), "Less": compared((*Column).Less), "LessEqual": compared((*Column).LessEqual),
		"Greater": compared((*Column).Greater), "GreaterEqual": compared((*Column).GreaterEqual),
		"LogicalAnd": func(c *Column) any { return refused(func() { c.LogicalAnd(true) }) != nil }, "LogicalOr": func(c *Column) any { return refused(func() { c.LogicalOr(c) }) != nil },
		"LogicalNot": func(c *Column) any { return refused(func() { c.LogicalNot() }) != nil },
		"And":        func(c *Column) any { return refused(func() { c.And(true) }) != nil }, "Or": func(c *Column) any { return refused(func() { c.Or(c) }) != nil }, "Not": func(c *Column) any { return refused(func() { c.Not() }) != nil },
		"Lower": texts((*Column).Lower), "Upper": texts((*Column).Upper), "Strip": texts(func(c *Column) *Column { return c.Strip() }),
		"Replace": texts(func(c *Column) *Column { return c.Replace("a", "éé") }),
		"Split": func(c *Column) any {
			var out [][]string
			for _, part := range c.Split("-") {
				out = append(out, part.Strings())
			}
			return out
		},
		"Contains": shown(func(c *Column) *Column { return c.Contains("a") }), "StartsWith": shown(func(c *Column) *Column { return c.StartsWith("a") }), "EndsWith": shown(func(c *Column) *Column { return c.EndsWith("a") }),
		"Length": shown((*Column).Length), "Unique": texts((*Column).Unique),
		"Year": date((*Column).Year), "Quarter": date((*Column).Quarter), "Month": date((*Column).Month), "Day": date((*Column).Day), "DayOfYear": date((*Column).DayOfYear), "Weekday": date((*Column).Weekday),
		"Hour": date((*Column).Hour), "Minute": date((*Column).Minute), "Second": date((*Column).Second), "Date": date((*Column).Date),
	}
	for m := range reflect.TypeFor[*Column]().Methods() {
		if call := calls[m.Name]; assert.NotNil(t, call, "a call of %s", m.Name) {
			assert.Equal(t, fmt.Sprint(call(eager(list))), fmt.Sprint(call(ofAnyLength(list))), m.Name)
		}
	}
}

// TestWideTextsInJoinsAndGroups: the texts of wideTable are keys of joins, are sorted with missing ones last, and
// functions of text have them.
func TestWideTextsInJoinsAndGroups(t *testing.T) {
	testsize.InTurn(t, 0)
	table, path := wideTable(t)
	long := strings.Repeat("n", 1_000_000)
	right := New("name", []string{"ab3", long, "no", ""}, "y", []int{3, 10, 0, -1})
	inner := table.Join(right)
	require.Equal(t, 2858, inner.Len(), "ab3 is there 20,000/7 times, and the long name once")
	assert.Equal(t, int64(10), inner.Col("y").Int64s()[0])
	assert.Len(t, inner.Strings("name")[0], 1_000_000)
	assert.Equal(t, 20_001, table.Join(right, Left).Len())
	outer := table.Join(right, Outer)
	require.Equal(t, 20_003, outer.Len())
	assert.Equal(t, []string{long, "no", ""}, outer.Strings("name")[20_000:], "in the order of the keys, the missing one last")
	assert.Equal(t, []bool{false, true, true}, outer.Column("x").Missing().Bools()[20_000:], "no partner, and still whole numbers")
	assert.Equal(t, arrays.Int64, outer.Column("x").DType())

	// A text in one row of the right table, an array there, would be wide in each row of the result.
	notes := New("k", []int{1}, "note", []string{long})
	many := New("k", slices.Repeat([]int{1}, 20_000)).Join(notes)
	texts := many.Strings("note")
	require.Len(t, texts, 20_000)
	require.Equal(t, long, texts[0])
	for i, text := range texts { // which share their bytes: else this would compare 20 GB
		require.True(t, text == texts[0], "row %d", i)
	}

	g := table.With("k", arrays.Arange(table.Len()).Mod(2)).GroupBy("k").Agg(Max("name"), Min("name"), First("name"), NUnique("name"), Count("name"), Sum("x"), Size())
	assert.Equal(t, []string{long, "ab6"}, g.Strings("name_max"))
	assert.Equal(t, []string{"ab0", "ab0"}, g.Strings("name_min"))
	assert.Equal(t, []string{long, "ab0"}, g.Strings("name_first"))
	assert.Equal(t, []int64{8, 7}, g.Col("name_nunique").Int64s())
	assert.Equal(t, []int64{10_001, 10_000}, g.Col("name_count").Int64s())
	byName := table.GroupBy("name").Agg(Sum("x"), Size())
	assert.Equal(t, int64(1), byName.Col("x_sum").Int64s()[7], "the long name is the last of 8")

	gaps := table.Rows(0, 5).With("name", []string{"", long, "ab", "", "aa"})
	gaps = New("name", append(gaps.Strings("name"), slices.Repeat([]string{"b"}, 100)...))
	assert.Equal(t, []string{"aa", "ab"}, gaps.Sort("name").Strings("name")[:2])
	assert.Equal(t, []string{long, "", ""}, gaps.Sort("name").Strings("name")[102:])
	assert.Equal(t, long, gaps.Sort("-name").Strings("name")[0])
	assert.Equal(t, []string{"", ""}, gaps.Sort("-name").Strings("name")[103:])

	name := table.Column("name")
	assert.Equal(t, []string{strings.ToUpper(long), "AB0"}, name.Upper().Strings()[:2])
	assert.Equal(t, []int64{1_000_000, 3}, name.Length().Array().Int64s()[:2])
	assert.Equal(t, 1, table.Where(name.Eq(long)).Len())
	assert.Equal(t, 2857, table.Where(name.EndsWith("3")).Len())
	assert.Equal(t, []string{"x", "ab0"}, name.Replace(long, "x").Array().Strings()[:2], "an array again, as all are short")
	assert.Equal(t, 8, name.Unique().Len())
	assert.Equal(t, 20_001, New("name", table.Strings("name"), "id", Masked(arrays.Arange(table.Len()), arrays.Arange(table.Len()).Less(5))).Len())

	// Masks and long texts, in one file.
	both := table.With("id", Masked(arrays.Arange(table.Len()), arrays.Arange(table.Len()).Less(5)))
	for _, ext := range []string{".csv", ".arrow", ".json", ".jsonl"} {
		again := filepath.Join(filepath.Dir(path), "both"+ext)
		require.NoError(t, both.Write(again), ext)
		back, err := Read(again)
		require.NoError(t, err, ext)
		assert.Equal(t, table.Strings("name"), back.Strings("name"), ext)
		assert.Equal(t, arrays.Int64, back.Column("id").DType(), ext)
		assert.Equal(t, []bool{true, false}, back.Column("id").Missing().Bools()[4:6], ext)
	}
}

// TestWideTextsAsPandas: what pandas reads of such a file.
func TestWideTextsAsPandas(t *testing.T) {
	testsize.InTurn(t, 2)
	python := judges.Python(t, "pandas")
	table, path := wideTable(t)
	out, err := exec.Command(python, "-c", `import sys, json, pandas
t = pandas.read_csv(sys.argv[1])
print(json.dumps([[len(s) for s in t.name], t.name.value_counts().sort_index().tolist()]))`, path).Output()
	require.NoError(t, err)
	var want [2][]int
	require.NoError(t, json.Unmarshal(out, &want))
	var lengths []int
	for _, s := range table.Strings("name") {
		lengths = append(lengths, len(s))
	}
	require.Equal(t, want[0], lengths)
	var counts []string
	for _, n := range want[1] {
		counts = append(counts, strconv.Itoa(n))
	}
	require.Equal(t, "["+strings.Join(counts, " ")+"]", fmt.Sprint(table.GroupBy("name").Count().Col("count").Int64s()))
}
