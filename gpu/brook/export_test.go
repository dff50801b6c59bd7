package brook

import "testing"

// SetMostEmitted lets calls of a test emit so many elements.
func SetMostEmitted(t *testing.T, n int) {
	before := mostEmitted
	mostEmitted = n
	t.Cleanup(func() { mostEmitted = before })
}
