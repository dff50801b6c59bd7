package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMissesAreExplained: what the model misses is on the page with its explanation, and a page is refused on which one
// is missing, or one that explains what is reached.
func TestMissesAreExplained(t *testing.T) {
	e := &experiment{id: "test", in: gbs, variants: []variant{{name: "a", published: 100}, {name: "b", published: 200}, {name: "c", published: 210}},
		checks: []check{{"", "c is fastest", func(g []float64) bool { return g[2] > g[1] }}}, got: []float64{100, 90, 95}}
	assert.Equal(t, []missed{{"b", "step 0.45 times the published, not in order with a"}, {"c", "not in order with a"}}, e.misses())
	_, err := e.why()
	assert.ErrorContains(t, err, "test, b (step 0.45 times the published, not in order with a): not explained")
	explanations["test"] = map[string]string{"b": "the cable was off", "c": "as b"}
	defer delete(explanations, "test")
	text, err := e.why()
	require.NoError(t, err)
	assert.Contains(t, text, "- b (step 0.45 times the published, not in order with a): the cable was off\n")
	e.got = []float64{100, 200, 199}
	_, err = e.why()
	assert.ErrorContains(t, err, "test, c is fastest (does not hold): not explained")
	assert.ErrorContains(t, err, "test, b: explained, but reached")
}

// TestExplanationsNameRows: each explanation is of a row or an assertion that there is.
func TestExplanationsNameRows(t *testing.T) {
	names := map[string][]string{}
	for _, e := range experiments() {
		for _, v := range e.variants {
			names[e.id] = append(names[e.id], v.name)
		}
		for _, c := range e.checks {
			names[e.id] = append(names[e.id], c.text)
		}
	}
	for id, of := range explanations {
		for name, why := range of {
			assert.True(t, slices.Contains(names[id], name), "%s, %s", id, name)
			assert.NotEmpty(t, why)
		}
	}
}
