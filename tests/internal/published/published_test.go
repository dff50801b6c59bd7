package published_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/tests/internal/published"
	"github.com/arrayrepl/arrayrepl/tests/internal/testdevices"
)

// TestPrograms: by hand and in array code the programs compute the same, on the CPU, one GPU and eight.
func TestPrograms(t *testing.T) {
	testsize.InTurn(t, 1)
	testdevices.Use(t)
	s, err := published.New()
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Cell("n, parts, features := 320, 4, 64")
	require.NoError(t, err)
	for _, p := range published.Programs {
		_, err := s.Cell("np.Use(\"host\")\n" + p.Data)
		require.NoError(t, err)
		first := math.NaN()
		for _, machine := range []string{"host", "sim:v100x8#0", "sim:v100x8", "sim:a100x8"} {
			for form, cell := range map[string]string{"by hand": p.Parts, "plain": p.Plain} {
				_, err = s.Cell(fmt.Sprintf("np.Use(%q)", machine))
				require.NoError(t, err)
				_, err = s.Cell(cell)
				require.NoError(t, err)
				got, err := s.Float(p.Result)
				require.NoError(t, err)
				t.Log(p.Name, machine, form, got)
				if math.IsNaN(first) {
					first = got
				}
				require.InDelta(t, first, got, 1e-4*math.Abs(first), "%s %s on %s", p.Name, form, machine)
			}
		}
	}
}
