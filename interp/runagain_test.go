package interp

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// TestCellsRunAgain runs cells many times over, as people do with notebooks: what the session keeps of them does not
// grow, and functions call the newest of each other.
func TestCellsRunAgain(t *testing.T) {
	s, err := New(Options{})
	require.NoError(t, err)
	defer s.Close()
	run := func(src string) any {
		v, err := s.Evaluate(context.Background(), Cell{Number: 1, Source: src})
		require.NoError(t, err, src)
		return v
	}
	run("func base(n int) int { return n + 1 }")
	run("type point struct{ x, y int }\nfunc add(a, b point) point { return point{a.x + b.x, base(a.y + b.y)} }")
	run("old := base")
	run("const k = 7\nfunc withConstant(n int) int { return base(n) + k }")
	run("func user(n int) int { return n + k }")
	for i := range 200 {
		run("func twice(n int) int { if n == 0 { return 0 }; return base(n) + twice(0) }\ntwice(3)")
		run("func withConstant(n int) int { return base(n) + k }\nwithConstant(3)")
		run("func add(a, b point) point { return point{a.x + b.x, base(a.y + b.y)} }")
		_, err := s.Run(context.Background(), 1, "func twice(n int) int { return undefined }")
		require.Error(t, err)
		_, err = s.Run(context.Background(), 1, "func fails(n int) int { return base(n) }\nfails(1)\npanic(1)")
		require.Error(t, err)
		if i%50 == 49 {
			run("func base(n int) int { return n + 10 }\nbase(1)")
			assert.Equal(t, 13, run("twice(3)"))
			assert.Equal(t, 20, run("withConstant(3)"))
			assert.Equal(t, 19, run("add(point{1, 2}, point{3, 7}).y"))
			assert.Equal(t, 10, run("user(3)"))
			assert.Equal(t, 2, run("old(1)"))
			run("func base(n int) int { return n + 1 }")
		}
	}
	entries := 0
	for _, list := range s.users {
		entries += len(list)
	}
	assert.Less(t, entries, 100, "entries of users")
	mine := 0
	for pkg := range s.units {
		if pkg.Path() == engine.CellPath {
			mine++
		}
	}
	assert.Less(t, mine, 20, "cells that are kept")
}
