package supervise_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// Goroutines of cells that use a map at the same time, one of them writing, are a panic with the line, and the session
// goes on. The maps are variables of functions: what is left of a cell's goroutines still reads its variables when the
// next cell declares them anew.
func TestConcurrentMapUse(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, "kept := 1\nfunc together(n int, f func(int)) { var g sync.WaitGroup; for i := range n { g.Add(1); go func() { defer g.Done(); for k := 0; ; k++ { f(i+k%20000) } }() }; g.Wait() }")
	const writes, read, iteration = "concurrent map writes", "concurrent map read and map write", "concurrent map iteration and map write"
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"func() { m := map[int]int{}; together(4, func(i int) { m[i]++ }) }()", []string{writes, read}},
		{"func() { m := map[int]int{}; together(4, func(i int) { m[i] = i }) }()", []string{writes}},
		{"func() { m := map[any]any{}; together(4, func(i int) { m[nil] = nil }) }()", []string{writes}},
		{"func() { m := map[string][]int{}; together(4, func(i int) { delete(m, `a`) }) }()", []string{writes}},
		{"func() { m := map[string][]int{}; together(4, func(i int) { defer delete(m, `a`) }) }()", []string{writes}},
		{"func() { m := map[int]int{1: 1, 2: 2}; together(4, func(i int) { clear(m) }) }()", []string{writes}},
		{"func() { m := map[int]int{1: 1}; together(4, func(i int) { if i%2 == 0 { _, ok := m[i]; _ = ok } else { m[1] = 2 } }) }()", []string{writes, read}},
		{"func() { m := map[int]int{1: 1, 2: 2, 3: 3}; together(2, func(i int) { if i%2 == 0 { for k := range m { _ = k } } else { m[1] = 2 } }) }()", []string{writes, read, iteration}},
		{"func() { m := map[int]int{1: 1, 2: 2, 3: 3}; together(4, func(i int) { if i%2 == 0 { _ = slices.Sorted(maps.Keys(m)) } else { maps.Copy(m, map[int]int{4: 4}) } }) }()", []string{writes, read, iteration}},
		{"type S struct{ m map[string]int }; func (s *S) put(k string) { s.m[k]++ }; func() { s := &S{map[string]int{}}; together(4, func(i int) { s.put(`a`) }) }()", []string{writes, read}},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // sooner or later two of them meet
		_, err := r.session.Run(ctx, 2, c.src)
		cancel()
		var e *interp.Error
		require.ErrorAs(t, err, &e, c.src)
		text, told := strings.CutSuffix(strings.TrimPrefix(e.Message, "fatal error: "), " [in a goroutine]")
		assert.True(t, told, e.Message)
		text, _, told = strings.Cut(text, "; guard the map")
		assert.True(t, told, e.Message)
		assert.Contains(t, c.want, text, c.src)
		assert.NotEmpty(t, e.Trace, c.src)
	}
	assert.Equal(t, "1\n", r.Run(3, "kept"))
}

// A map that goroutines read together, or with a lock, is used as ever.
func TestGuardedMapUse(t *testing.T) {
	r := newRecorder(t, interp.Options{})
	r.Run(1, "func together(n int, f func(int)) { var g sync.WaitGroup; for i := range n { g.Add(1); go func() { defer g.Done(); for k := range 2000 { f(i+k) } }() }; g.Wait() }")
	for src, want := range map[string]string{
		"m := map[int]int{}; var mu sync.Mutex\ntogether(4, func(i int) { mu.Lock(); defer mu.Unlock(); m[0]++ })\nm[0]":                                                                         "8000\n",
		"m := map[int]int{1: 1}\ntogether(4, func(i int) { for k, v := range m { if m[k] != v { panic(k) } } })\nm":                                                                              "map[1:1]\n",
		"n := make([]map[int]int, 2000)\nfor i := range n { n[i] = map[int]int{} }\ntogether(4, func(i int) { m := map[int]int{}; m[i] = i; delete(m, i); if len(m) > 0 { panic(i) } })\nlen(n)": "2000\n",
		"func() (err any) { defer func() { err = recover() }(); go func() {}(); m := map[any]int{}; m[[]int{}] = 1; return }()":                                                                  "runtime error: hash of unhashable type []int\n",
		"func() (err any) { defer func() { err = recover() }(); var m map[int]int; m[1] = 1; return }()":                                                                                         "assignment to entry in nil map\n",
		"func() int { var m map[int]int; defer delete(m, 1); defer clear(m); for range m { return 1 }; return m[1] }()":                                                                          "0\n",
	} {
		assert.Equal(t, want, r.Run(2, src), src)
	}
}
