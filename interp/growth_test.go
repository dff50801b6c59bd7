package interp

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
)

// grown are texts of n parts each, of the kinds that once took time with the square of n, or the stack.
var grown = map[string]func(n int) string{
	"statements":      func(n int) string { return strings.Repeat("1; ", n) },
	"undefined":       func(n int) string { return strings.Repeat("nothing; ", n) },
	"declarations":    func(n int) string { return strings.Repeat("x := 1; ", n) },
	"illegal":         func(n int) string { return strings.Repeat("∑", n) },
	"control":         func(n int) string { return strings.Repeat("\x00", n) },
	"not UTF-8":       func(n int) string { return strings.Repeat("\xff", n) },
	"parentheses":     func(n int) string { return strings.Repeat("(", n) },
	"closed":          func(n int) string { return strings.Repeat("(", n) + "1" + strings.Repeat(")", n) },
	"brackets":        func(n int) string { return strings.Repeat("[", n) },
	"braces":          func(n int) string { return strings.Repeat("{", n) },
	"blocks":          func(n int) string { return strings.Repeat("if true {\n", n) + strings.Repeat("}\n", n) },
	"function values": func(n int) string { return "f := " + strings.Repeat("func() { _ = ", n) + "1" + strings.Repeat("}", n) },
	"open calls":      func(n int) string { return strings.Repeat("f(func(){", n) },
	"minus":           func(n int) string { return strings.Repeat("- ", n) + "1" },
	"not":             func(n int) string { return "b := " + strings.Repeat("!", n) + "true" },
	"sum":             func(n int) string { return "1" + strings.Repeat("+1", n) },
	"selectors":       func(n int) string { return "a" + strings.Repeat(".b", n) },
	"pointers":        func(n int) string { return "var p " + strings.Repeat("*", n) + "int" },
	"slices":          func(n int) string { return "var s " + strings.Repeat("[]", n) + "int" },
	"channels":        func(n int) string { return "var c " + strings.Repeat("chan ", n) + "int" },
	"structs":         func(n int) string { return "var s " + strings.Repeat("struct{ a ", n) + "int" + strings.Repeat("}", n) },
	"generic types": func(n int) string {
		return "type G[T any] struct{}\nvar g " + strings.Repeat("G[", n) + "int" + strings.Repeat("]", n)
	},
	"imports":     func(n int) string { return strings.Repeat("import \"fmt\"\n", n) },
	"inits":       func(n int) string { return strings.Repeat("func init() {}\n", n) + "1" },
	"long string": func(n int) string { return `"` + strings.Repeat("é", n) + `"` },
	"raw string":  func(n int) string { return "`" + strings.Repeat("é\n", n) },
	"comment":     func(n int) string { return "/*" + strings.Repeat("é\n", n) + "*/ 1" },
	"else":        func(n int) string { return "if false {} " + strings.Repeat("else if false {} ", n) },
}

// TestNestedTooDeep tries texts that would overflow the stack, or take time with the square of their length, in all
// that reads them. Each is answered, and the session goes on.
func TestNestedTooDeep(t *testing.T) {
	testsize.InTurn(t, 2)
	s, err := New(Options{})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // for one that hangs
	defer cancel()
	for name, text := range grown {
		src := text(3_000)
		s.IsComplete(src)
		s.Complete(src, len(src))
		s.Describe(src, len(src)/2, 0)
		_, err := s.Run(ctx, 1, src)
		if failed := (*Error)(nil); assert.NoError(t, ctx.Err(), name) && err != nil {
			require.ErrorAs(t, err, &failed, name)
			assert.Equal(t, CompileError, failed.Kind, name)
			assert.LessOrEqual(t, len(failed.Diagnostics), MaxDiagnostics, name)
			assert.Less(t, len(strings.Join(failed.Lines(false), "\n")), 50_000, name)
		}
	}
	b, err := s.Run(ctx, 2, "1 + 1")
	require.NoError(t, err)
	assert.Equal(t, "2", b.Text())
}

func TestDeepButAllowed(t *testing.T) {
	s, err := New(Options{})
	require.NoError(t, err)
	for src, want := range map[string]string{
		strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300): "1",
		"1" + strings.Repeat("+1", 3000):                          "3001",
		`len("a"` + strings.Repeat("+\n\"a\"", 2000) + ")":        "2001",
		"x := " + strings.Repeat("[]", 50) + "int{}\nlen(x)":      "0",
	} {
		b, err := s.Run(t.Context(), 1, src)
		if assert.NoError(t, err) {
			assert.Equal(t, want, b.Text())
		}
	}
	_, err = s.Run(t.Context(), 1, strings.Repeat("(", 600)+"1"+strings.Repeat(")", 600))
	assert.ErrorContains(t, err, "nested deeper than")
}

// TestHintsAreBounded counts what is asked of hints, for inputs that double: it stays the same.
func TestHintsAreBounded(t *testing.T) {
	for name, text := range grown {
		var asked [2]int
		for i, n := range []int{1000, 2000} {
			s, err := New(Options{Hint: func(_, line string, at int) string {
				asked[i]++
				assert.LessOrEqual(t, len(line), 2*hintReach, name)
				assert.LessOrEqual(t, at, len(line), name)
				return ""
			}})
			require.NoError(t, err)
			s.Run(t.Context(), 1, text(n))
		}
		assert.LessOrEqual(t, asked[1], MaxDiagnostics, name)
	}
}

// TestQuestionsParseLittle counts the bytes that are parsed for an answer at a cursor, for inputs that double.
func TestQuestionsParseLittle(t *testing.T) {
	testsize.InTurn(t, 1)
	s, err := New(Options{})
	require.NoError(t, err)
	for name, text := range grown {
		for _, n := range []int{500, 1000, 2000} {
			src, parsed := text(n), 0
			s.assistant.Parse = func(text string) bool {
				parsed += len(text)
				return s.parses(text)
			}
			s.Complete(src, len(src))
			assert.LessOrEqual(t, parsed, 1<<20+6*len(src), "%s: more was parsed for an answer than it may take", name)
		}
	}
}

// slowEngine waits in its first compilation until the test lets it go on.
type slowEngine struct {
	engine.Engine
	once           *sync.Once
	compiles, goOn chan bool
}

func (e slowEngine) Compile(p *engine.Program) (engine.Code, error) {
	e.once.Do(func() {
		close(e.compiles)
		<-e.goOn
	})
	return e.Engine.Compile(p)
}

func TestInterruptedCompilation(t *testing.T) {
	e := slowEngine{ixgo.New(), new(sync.Once), make(chan bool), make(chan bool)}
	s, err := New(Options{Engine: e})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-e.compiles
		cancel()
	}()
	_, err = s.Run(ctx, 1, "func f() int { return 1 }\nx := f()")
	assert.ErrorContains(t, err, "interrupted while the cell was compiled")

	waits, stop := context.WithCancel(t.Context()) // the next cell waits for the compiler, and can be interrupted too
	stop()
	_, err = s.Run(waits, 2, "y := 2")
	assert.ErrorContains(t, err, "interrupted")
	close(e.goOn)
	_, err = s.Run(t.Context(), 3, "x")
	assert.ErrorContains(t, err, "undefined: x", "nothing of the first cell is there")
	b, err := s.Run(t.Context(), 4, "f := func() int { return 3 }\nf()")
	require.NoError(t, err)
	assert.Equal(t, "3", b.Text())
}
