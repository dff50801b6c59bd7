package lazyregexp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is wrong with an expression shows in the tests of the package that has it, used or not.
func TestWrongExpressionsPanicInTests(t *testing.T) {
	require.Panics(t, func() { New("(") })
	require.Equal(t, []string{"b7", "7"}, New(`b(\d)`).FindStringSubmatch("ab7"))
}
