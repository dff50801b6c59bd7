package lazy_test

import (
	"os"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// What a column of a table with very many of them costs, beside its elements: a placeholder is not a node of the graph
// before something is computed of it.
func TestColumnsOfWideTables(t *testing.T) {
	const columns = 50_000
	dir := t.TempDir()
	numbers := filepath.Join(dir, "numbers.csv")
	require.NoError(t, os.WriteFile(numbers, []byte(strings.Repeat("1.5,", columns-1)+"1.5\n"), 0o600))
	texts := filepath.Join(dir, "texts.csv")
	require.NoError(t, os.WriteFile(texts, []byte(strings.Repeat("ab,", columns-1)+"ab\n"), 0o600))
	named := filepath.Join(dir, "named.csv")
	var names []string
	for i := range columns {
		names = append(names, "c"+strconv.Itoa(i))
	}
	require.NoError(t, os.WriteFile(named, []byte(strings.Join(names, ",")+"\n"+strings.Repeat("1,", columns-1)+"1\n"), 0o600))
	names = nil

	var held []any
	cost := func(load func() (any, error)) (allocated, kept uint64) {
		var before, after goruntime.MemStats
		goruntime.GC()
		goruntime.GC()
		goruntime.ReadMemStats(&before)
		got, err := load()
		require.NoError(t, err)
		goruntime.GC()
		goruntime.GC() // what lies in pools goes with the second
		goruntime.ReadMemStats(&after)
		held = append(held[:0], got)
		return (after.TotalAlloc - before.TotalAlloc) / columns, (after.HeapAlloc - before.HeapAlloc) / columns
	}
	for i, path := range []string{numbers, texts, named} {
		if !testsize.Part(i, 3) {
			continue
		}
		name := filepath.Base(path)
		eagerAllocated, eagerKept := cost(func() (any, error) {
			_, c, err := arrays.LoadTable(path, arrays.Header(path == named))
			return c, err
		})
		allocated, kept := cost(func() (any, error) {
			_, c, err := lazy.LoadTable(path, lazy.CSVOption(arrays.Header(path == named)))
			return c, err
		})
		t.Logf("%s: a column of arrays has %d bytes allocated and %d kept; of lazy %d and %d", name, eagerAllocated, eagerKept, allocated, kept)
		assert.Less(t, kept, uint64(110), name)                     // 382 to 457 when each had its node
		assert.Less(t, allocated-eagerAllocated, uint64(110), name) // 490 then
	}
	goruntime.KeepAlive(held)
}

// A column that nothing was asked of is like any other once something is.
func TestColumnsBecomeNodes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table.csv")
	require.NoError(t, os.WriteFile(path, []byte("n,x,b,s,d,long\n1,1.5,True,ab,2024-01-02,"+strings.Repeat("y", 50)+"\n2,,False,c,2024-01-03,\n"), 0o600))
	_, eager, err := arrays.LoadTable(path)
	require.NoError(t, err)
	load := func() []*lazy.Array {
		_, columns, err := lazy.LoadTable(path)
		require.NoError(t, err)
		return columns
	}
	for i, c := range load() {
		assert.Equal(t, eager[i].DType(), c.DType())
		assert.Equal(t, eager[i].Shape(), c.Shape())
		assert.Equal(t, eager[i].String(), c.String())
	}
	for i, c := range load() { // a view first, and the array changed through it
		last := c.At(lazy.S(1, 2))
		c.Set(c.At(0), 1)
		want := eager[i].Copy()
		want.Set(eager[i].At(0), 1)
		assert.Equal(t, want.String(), c.String())
		assert.Equal(t, want.At(arrays.S(1, 2)).String(), last.String())
	}
	columns := load()
	var all sync.WaitGroup
	got := make([]string, 8)
	for k := range got { // several goroutines ask for the first time
		all.Go(func() { got[k] = columns[0].Add(columns[1]).String() })
	}
	all.Wait()
	for _, text := range got {
		assert.Equal(t, eager[0].Add(eager[1]).String(), text)
	}

	empty := lazy.FromArray(arrays.New(arrays.Int64, 0, 3))
	assert.Equal(t, []int{0, 3}, empty.Shape())
	assert.Equal(t, arrays.New(arrays.Int64, 0, 3).Sum(arrays.Axis(0)).String(), empty.Sum(arrays.Axis(0)).String())
	flipped := arrays.Arange(6).Reshape(2, 3).T() // its elements lie in another order
	assert.Equal(t, flipped.String(), lazy.FromArray(flipped).String())
	assert.Equal(t, flipped.At(0).String(), lazy.FromArray(flipped).At(0).String())
}
