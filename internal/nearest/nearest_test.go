package nearest

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDistance: the examples of Levenshtein's and Damerau's distances in textbooks.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		far  int
	}{{"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"", "abc", 3}, {"abc", "", 3}, {"form", "from", 1}, {"same", "same", 0}} {
		assert.Equal(t, c.far, Distance(c.a, c.b), "%s to %s", c.a, c.b)
	}
}

func TestName(t *testing.T) {
	names := []string{"city", "people", "km2", "year of birth"}
	for name, want := range map[string]string{"pepole": "people", "City": "city", " people ": "people", "kms": "km2", "year": "year of birth", "zzz": "", "": "", "x": ""} {
		assert.Equal(t, want, Name(name, names), name)
	}
}
