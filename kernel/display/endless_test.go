package display

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type loop []loop

type knot struct{ in any }

type chain struct{ next *chain }

// hushed has a text of its own, so that fmt does not look into it.
type hushed []any

func (hushed) String() string { return "quiet" }

type nilUnaware struct{ n int }

func (p *nilUnaware) HTML() string { return strings.Repeat("x", p.n) }

func TestEndless(t *testing.T) {
	list := []any{1, nil}
	list[1] = list
	table := map[string]any{}
	table["self"] = table
	typed := loop{nil}
	typed[0] = typed
	tied := &knot{}
	tied.in = []any{tied}
	through := map[string]any{}
	through["list"] = []any{1, map[int]any{2: through}}
	round := &chain{}
	round.next = round
	silent := hushed{nil}
	silent[0] = silent
	shared := []any{1}
	var deep any
	for range 2 * endlessDepth {
		deep = []any{deep}
	}
	for _, c := range []struct {
		name string
		v    any
		want bool
	}{
		{"slice", list, true}, {"map", table, true}, {"named slice", typed, true}, {"slice in map in slice", through, true},
		{"pointers below the top are addresses", tied, false}, {"list of pointers", round, false}, {"pointer to slice", &list, true},
		{"own text", silent, false}, {"twice the same", []any{shared, shared}, false}, {"numbers", make([]float64, 1<<20), false},
		{"nil", nil, false}, {"nil slice", []any(nil), false}, {"nil pointer", (*knot)(nil), false}, {"very deep", deep, true},
		{"unexported field", knot{list}, true},
	} {
		if got := Endless(c.v); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	b, err := Of(list)
	if err != nil || !strings.Contains(b.Text(), "the same again") {
		t.Errorf("a slice that contains itself shows as %q, %v", b.Text(), err)
	}
}

func TestNilPointerWithMethods(t *testing.T) {
	b, err := Of((*nilUnaware)(nil))
	require.NoError(t, err)
	assert.Equal(t, "(*display.nilUnaware)(nil)", b.Text())
	b, err = OfWith((*nilUnaware)(nil), Options{Fmt: true})
	require.NoError(t, err)
	assert.Equal(t, fmt.Sprint((*nilUnaware)(nil)), b.Text())
}
