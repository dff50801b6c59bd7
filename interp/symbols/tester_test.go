package symbols_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	sessions "github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/interp/yaegi"
)

// TestTester: cells have a t where a function takes a test; failures are written with their line, and fail the cell.
func TestTester(t *testing.T) {
	testsize.InTurn(t, 1)
	symbols.Register()
	for _, engine := range []string{"ixgo", "yaegi"} {
		for _, c := range []struct {
			name, cell    string
			written, fail string // parts
			shown         string
			trace         []int
			not           string // what is not written
		}{
			{name: "holds", cell: `assert.Equal(t, 4, 2+2)`, shown: "true"},
			{name: "fails", cell: "x := 1\nassert.Equal(t, 1, x+1, \"a note\")\nx", written: "cell 2, line 2:\n\tError:      \tNot equal: ", fail: "a check of t failed", trace: []int{2}, not: "Error Trace"},
			{name: "note", cell: "assert.Equal(t, 1, 2, \"a note\")", written: "Messages:   \ta note", fail: "a check of t failed", trace: []int{1}, not: "Test:"},
			{name: "goes on", cell: "assert.True(t, false)\nassert.Len(t, []int{1}, 3)\nprintln(`after`)", written: "should have 3 item(s)", fail: "2 checks of t failed; the first one:", trace: []int{1}},
			{name: "require ends it", cell: "fmt.Print()\nrequire.NoError(t, errors.New(`boom`))\nprintln(`after`)", written: "boom", fail: "a check of t failed and ended the cell", trace: []int{2}, not: "after"},
			{name: "in a function", cell: "func f(n int) { assert.Less(t, n, 3) }\nf(2)\nf(5)", written: "cell 2, line 1, in f: Error:", fail: "a check of t failed", trace: []int{1, 3}},
			{name: "own function", cell: "func check(t assert.TestingT, n int) { assert.Less(t, n, 3) }\ncheck(t, 5)", written: "is not less than", fail: "a check of t failed", trace: []int{1, 2}},
			{name: "an object", cell: "a := assert.New(t)\na.Equal(1, 2)", written: "cell 2, line 2:", fail: "a check of t failed", trace: []int{2}},
			{name: "methods", cell: "t.Logf(`n is %d`, 3)\nt.Errorf(`bad %d`, 4)", written: "cell 2, line 1: n is 3\ncell 2, line 2: bad 4\n", fail: "a check of t failed", trace: []int{2}},
			{name: "fatal", cell: "t.Fatal(`no`, 1)\nprintln(`after`)", written: "cell 2, line 1: no 1\n", fail: "a check of t failed and ended the cell", trace: []int{1}, not: "after"},
			{name: "of the cell", cell: "t := 3\nt + 1", shown: "4"},
			{name: "a parameter", cell: "func f(t int) int { return t * 2 }\nf(4)", shown: "8"},
			{name: "undeclared elsewhere", cell: "fmt.Println(t)", fail: "undefined: t"},
		} {
			t.Run(engine+"/"+c.name, func(t *testing.T) {
				o := sessions.Options{Packages: symbols.Packages()}
				if engine == "yaegi" {
					o.Engine = yaegi.New()
				}
				s, err := sessions.New(o)
				require.NoError(t, err)
				var mu sync.Mutex
				var out strings.Builder
				s.Redirect(func(_ context.Context, _ string, text []byte) error {
					mu.Lock()
					defer mu.Unlock()
					out.Write(text)
					return nil
				})
				_, err = s.Run(context.Background(), 1, `import ("github.com/stretchr/testify/assert"; "github.com/stretchr/testify/require")`)
				require.NoError(t, err)
				b, err := s.Run(context.Background(), 2, c.cell)
				mu.Lock()
				defer mu.Unlock()
				require.Contains(t, out.String(), c.written)
				if c.not != "" {
					require.NotContains(t, out.String(), c.not)
				}
				if c.fail == "" {
					require.NoError(t, err)
					require.Equal(t, c.shown, b.Text())
					return
				}
				var e *sessions.Error
				require.True(t, errors.As(err, &e), "%v", err)
				require.Contains(t, e.Error(), c.fail)
				if c.trace != nil {
					var lines []int
					for _, f := range e.Trace {
						lines = append(lines, f.Line)
					}
					require.Equal(t, c.trace, lines)
				}
				_, err = s.Run(context.Background(), 3, "1 + 1") // the next cell is another
				require.NoError(t, err)
			})
		}
	}
}
