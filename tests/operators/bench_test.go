package operators

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkOperators is what a cell costs to check with the operators of arrays on and off: a cell of ordinary Go, and
// one of 30 lines of array expressions against the calls that it stands for.
func BenchmarkOperators(b *testing.B) {
	s := arraySession(b)
	if _, err := run(s, 1, setUp); err != nil {
		b.Fatal(err)
	}
	ordinary := strings.Repeat("for j := 0; j < 3; j++ {\n\tk := j*2 + 1\n\t_ = []int{k, j}[j%2]\n}\n", 10)
	expressions := strings.Repeat("y[1:3] += 2*x[:2] + np.Sin(x[3:5])/4\n", 30)
	plain, err := s.PlainGo(2, expressions)
	require.NoError(b, err)
	for _, c := range []struct {
		name, src string
		on        bool
	}{{"ordinary/off", ordinary, false}, {"ordinary/on", ordinary, true}, {"calls/off", plain, false}, {"expressions/on", expressions, true}} {
		b.Run(c.name, func(b *testing.B) {
			defer s.SetOperators(s.SetOperators(c.on))
			for range b.N {
				if _, err := s.PlainGo(2, c.src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
