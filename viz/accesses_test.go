package viz

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// sampleAccesses is of a kernel whose thread i reads x[i] and x[i+1] and writes y[i], in blocks of 4.
func sampleAccesses(n int) *trace.Accesses {
	a := &trace.Accesses{Kernel: "pairs", Grid: [3]int{(n + 3) / 4, 1, 1}, Block: [3]int{4, 1, 1}, Arrays: []trace.Accessed{{Name: "x", Len: n + 1}, {Name: "s", Len: 4, Shared: true}, {Name: "y", Len: n}}}
	for i := range int32(n) {
		at := func(array, index int32, write bool) trace.Access {
			return trace.Access{Block: i / 4, Thread: i % 4, Array: array, Index: index, Reads: !write, Writes: write}
		}
		a.List = append(a.List, at(0, i, false), at(0, i+1, false), at(1, i%4, true), at(2, i, true))
	}
	return a
}

// TestAccesses: a line for each access to global memory and a box for each thread and element; as text a line for each
// thread; of many a point each.
func TestAccesses(t *testing.T) {
	c := Accesses(sampleAccesses(6))
	require.NoError(t, c.Err)
	lines, boxes := map[string]int{}, 0
	for _, s := range c.Panels[0].Series {
		lines[s.Name] += len(s.X) / 3
		boxes += len(s.Boxes)
	}
	assert.Equal(t, [2]int{12, 6}, [2]int{lines["reads"], lines["writes"]})
	assert.Equal(t, 7+8+6+3, boxes, "x, threads of two blocks, y, and their names")
	assert.Contains(t, c.String(), "thread 1 of block 1 reads x[5], x[6]; writes y[5]")
	assert.Contains(t, c.String(), "6 accesses to shared memory are not drawn")

	c = Accesses(sampleAccesses(500))
	require.Len(t, c.Panels, 2)
	assert.Len(t, c.Panels[0].Series[0].X, 1000)
	assert.Len(t, c.Panels[1].Series[0].X, 500)
	c = Accesses(sampleAccesses(5000))
	assert.LessOrEqual(t, len(c.Panels[0].Series[0].X), maxScatter)
	assert.Contains(t, fmt.Sprint(c.Notes), "one in 4 is drawn")
	assert.Error(t, Accesses(nil).Err)
}

// TestThreadNames: indices as the launch has them.
func TestThreadNames(t *testing.T) {
	a := &trace.Accesses{Grid: [3]int{2, 2, 1}, Block: [3]int{4, 2, 2}}
	assert.Equal(t, "thread (1, 1, 1) of block (1, 1)", ThreadName(a, trace.Access{Block: 3, Thread: 13}))
	a = &trace.Accesses{Grid: [3]int{2, 1, 1}, Block: [3]int{4, 1, 1}}
	assert.Equal(t, "thread 3 of block 1", ThreadName(a, trace.Access{Block: 1, Thread: 3}))
}
