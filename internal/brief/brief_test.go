package brief

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBrief(t *testing.T) {
	long := strings.Repeat("é", 1_000_000)
	assert.Equal(t, "ab", Text("ab"))
	assert.Equal(t, strings.Repeat("é", Most)+"…", Text(long))
	assert.Equal(t, strings.Repeat("é", Most), Text(strings.Repeat("é", Most)))
	assert.Equal(t, `"a\x00"`, Quoted("a\x00"))
	assert.Less(t, len(List(make([]string, 1_000_000))), 200)
}

// Messages have no words of Go's library, nothing that a terminal takes for commands, and their own lists whole.
func TestReasonsAndArguments(t *testing.T) {
	assert.Equal(t, `a\x1b[31m é\xff\u202e`, Text("a\x1b[31m é\xff\u202e"))
	assert.Equal(t, "x: it ends too early", Reason(fmt.Errorf("x: %w", io.ErrUnexpectedEOF)))
	assert.Equal(t, "it ends too early", Reason(io.EOF))
	assert.Equal(t, "GEOFF", Reason(errors.New("GEOFF")))
	assert.Equal(t, "reader: its parts do not fit together", Reason(errors.New("reader: runtime error: index out of range")))
	assert.Less(t, len(Reason(errors.New(strings.Repeat("é", 1_000_000)))), 500)
	long := strings.Repeat("x", 200)
	assert.Equal(t, []any{strings.Repeat("x", Most) + "…", Whole(long), 3}, Args([]any{long, Whole(long), 3}))
}

func TestLine(t *testing.T) {
	for s, want := range map[string]string{"": "", "\tx = y;": "\tx = y;", "a\x1b[31m": `a\x1b[31m`, "abcdefghij": "abcdefgh…", "abcdefgä": "abcdefg…", "\xff": `\xff`} {
		assert.Equal(t, want, Line(s, 8), "%q", s)
	}
}

func TestType(t *testing.T) {
	for want, v := range map[string]any{"nil": nil, "an int": 1, "a uint8": uint8(1), "a []any": []any{}, "a func()": func() {}, "a *errors.errorString": errors.New("x")} {
		assert.Equal(t, want, Type(v))
	}
}
