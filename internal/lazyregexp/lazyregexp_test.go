package lazyregexp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An expression is compiled at its first use; a text that is not one panics then.
func TestExpressions(t *testing.T) {
	wrong := New("(")
	require.Panics(t, func() { wrong.MatchString("") })
	require.Equal(t, []string{"b7", "7"}, New(`b(\d)`).FindStringSubmatch("ab7"))
}
