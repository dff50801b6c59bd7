package celltest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// notes are what a tester was told.
type notes struct{ lines []string }

func (n *notes) Log(text string)  { n.lines = append(n.lines, "log "+text) }
func (n *notes) Fail(text string) { n.lines = append(n.lines, "fail "+text) }
func (n *notes) FailNow()         { n.lines = append(n.lines, "now") }
func (n *notes) Failed() bool     { return len(n.lines) > 0 }
func (n *notes) Name() string     { return "cell 1" }

// TestTexts: of testify's texts stays what is said; its trace is of compiled code, and the name of the test is told by
// the place.
func TestTexts(t *testing.T) {
	n := &notes{}
	to := Of(n)
	assert.Equal(to, 1, 2, "a %s", "note")
	require.Len(t, n.lines, 1)
	for _, stays := range []string{"fail \tError:      \tNot equal:", "expected: 1", "actual  : 2", "Messages:   \ta note"} {
		assert.Contains(t, n.lines[0], stays)
	}
	for _, goes := range []string{"Error Trace", ".go:", "Test:", "cell 1"} {
		assert.NotContains(t, n.lines[0], goes)
	}
	n.lines = nil
	require.NoError(to, errors.New("boom"))
	require.Len(t, n.lines, 2)
	assert.Contains(t, n.lines[0], "boom")
	assert.Equal(t, "now", n.lines[1])
	n.lines = nil
	to.Errorf("one\ntwo: %d", 2)
	to.Error("x", 1)
	to.Logf("%d", 3)
	to.Fail()
	assert.Equal(t, []string{"fail one\ntwo: 2", "fail x 1\n", "log 3", "fail "}, n.lines)
	assert.True(t, to.Failed())
	assert.Equal(t, "cell 1", to.Name())
}

// TestLongTexts: a text is not cut where it looks like a label.
func TestLongTexts(t *testing.T) {
	text := fmt.Sprintf("\n\tError Trace:\ta.go:1\n\t            \tb.go:2\n\tError:      \tfirst\n\t            \tError Trace: said\n\tMessages:   \t%s\n", strings.Repeat("m", 3))
	assert.Equal(t, "\tError:      \tfirst\n\t            \tError Trace: said\n\tMessages:   \tmmm", withoutTrace(text))
}
