package simgpu

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// statesOf returns what a window keeps of K1 of simt-microarchitecture.md, nested hammocks, on warps of four.
func statesOf(t *testing.T, d Divergence) []trace.State {
	f := nestedHammock(2)
	m := f.machineOf(policies{divergence: d, issue: Barrel{}, order: InOrder{}}, 1)
	m.code.sync = reconvergences(f.succ(), f.idom())
	m.window = newWindow(cyclesOf{0, 1000}, m.sms[0])
	_, err := m.run(ctx)
	require.NoError(t, err)
	require.False(t, m.window.Cut)
	return m.window.States
}

// rowsText is a table in a line: place, lanes, block and note of each row.
func rowsText(t trace.Table) string {
	var rows []string
	for _, r := range t.Rows {
		s := fmt.Sprintf("b%d %04b", r.Block, r.Lanes)
		if r.Note != "" {
			s += " " + r.Note
		}
		rows = append(rows, s)
	}
	return strings.Join(rows, " | ")
}

// The stack of warp x of K1, by hand from the rules of simt-microarchitecture.md 2.3: A at block 0 parts 1110 (lane 0
// at the left; here bit 0 is lane 0) to B and 0001 to F, which wait for G; B parts 1000 to C and 0110 to D, which wait
// for E. Blocks 1 to 7 are F, B, D, C, E, G and a; when all are together and the last has returned there is no entry.
func TestStatesOfAStack(t *testing.T) {
	var got []string
	for _, s := range statesOf(t, PDOM{}) {
		require.Zero(t, s.Warp)
		require.Len(t, s.Tables, 1)
		assert.Equal(t, "stack", s.Tables[0].Name)
		got = append(got, rowsText(s.Tables[0]))
	}
	assert.Equal(t, []string{
		"b2 0111 until b6 | b1 1000 until b6 | b6 1111",
		"b4 0001 until b5 | b3 0110 until b5 | b5 0111 until b6 | b1 1000 until b6 | b6 1111",
		"b3 0110 until b5 | b5 0111 until b6 | b1 1000 until b6 | b6 1111",
		"b5 0111 until b6 | b1 1000 until b6 | b6 1111",
		"b1 1000 until b6 | b6 1111",
		"b6 1111",
		"b7 1111",
		"",
	}, got)
}

// Whatever the policy, each thread of the warp that has not returned is in one row of its tables, or of the pool in one
// warp, and no two of a warp of the pool have one home lane.
func TestStatesHaveEachThreadOnce(t *testing.T) {
	for _, d := range []Divergence{TF{}, SBI{}, SBI{Constraints: true}, DWF{}, DWF{Heap: true}} {
		states := statesOf(t, d)
		require.Greater(t, len(states), 4, d.Name())
		for _, s := range states {
			seen, threads := uint64(0), map[int32]bool{}
			for _, table := range s.Tables {
				for _, r := range table.Rows {
					if table.Name == "pool" {
						for l, n := range r.Threads {
							if n >= 0 {
								assert.False(t, threads[n], "thread %d is in two warps of the pool", n)
								assert.EqualValues(t, l, n%4, "lane aware")
								threads[n] = true
							}
						}
						assert.Equal(t, r.Count, Mask(r.Lanes).Count())
					} else if s.Block >= 0 {
						assert.Zero(t, seen&r.Lanes, "%s in cycle %d: %s", d.Name(), s.Cycle, rowsText(table))
						seen |= r.Lanes
					}
				}
			}
		}
	}
}

// A policy of a program shows its state where it can.
type shown struct{ PDOM }

func (shown) Name() string { return "shown" }

func TestStatesOfOthersPolicies(t *testing.T) {
	assert.Equal(t, statesOf(t, PDOM{}), statesOf(t, shown{}))
}
