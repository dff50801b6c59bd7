package operators

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// arraySession is a session in which arrays have operators, on the host.
func arraySession(t testing.TB) *interp.Session {
	t.Helper()
	testdevices.Use(t)
	symbols.Register()
	s, err := interp.New(interp.Options{Packages: symbols.Packages(), Docs: symbols.Docs(), Arrays: symbols.Arrays()})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// setUp are the variables of tests/golden/make_operators.py.
const setUp = `
x := np.Arange(6.0)
y := np.FromSlice([]float64{3, 1, 4, 1, 5, 9})
m := np.Arange(12).Reshape(3, 4)
c := np.Arange(24.0).Reshape(2, 3, 4)
i := np.FromSlice([]int{0, 1, 2, 3, 4, 5})
b := np.FromSlice([]bool{true, false, true, false, true, true})
f := np.FromSlice([]float32{0.5, 1.5, 2.5, -1, 0.25, 8})
k := 2
`

// run runs one cell and returns the text of its last expression.
func run(s *interp.Session, n int, src string) (string, error) {
	b, err := s.Run(context.Background(), n, src)
	if err != nil {
		return "", err
	}
	text, _ := b.Data[display.TypeText].(string)
	return text, nil
}

// TestOperatorsAsNumPy: operators.txt has each expression in Python and in Go; operators.json what NumPy printed for
// it.
func TestOperatorsAsNumPy(t *testing.T) {
	testsize.InTurn(t, 0)
	raw, err := os.ReadFile("testdata/operators.json")
	require.NoError(t, err)
	var cases []struct{ Python, Go, Out string }
	require.NoError(t, json.Unmarshal(raw, &cases))
	if len(cases) < 120 {
		t.Errorf("%d expressions", len(cases))
	}
	s := arraySession(t)
	for n, c := range cases {
		got, err := run(s, n, setUp+c.Go)
		want := strings.NewReplacer("True", "true", "False", "false").Replace(c.Out)
		if strings.HasPrefix(want, "[") {
			want = c.Out
		}
		if err != nil || got != want {
			t.Errorf("%s\n\tgives %s %v\n\tPython's %s gives\n\t%s", c.Go, got, err, c.Python, c.Out)
		}
	}
}
