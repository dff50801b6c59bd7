package csvtable

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Text that isPlain takes as it is must be what a closer look takes so.
func TestPlainTextNeedsNoQuotes(t *testing.T) {
	runes := []rune("ab1,;\t |#\\.\"'\r\n\u00a0\u00e9\u00c3\ufeff\x00\x7f")
	r, plain := rand.New(rand.NewPCG(1, 2)), 0
	for _, delimiter := range []rune{',', ';', ' ', '\t', 'é'} {
		for columns := 1; columns <= 2; columns++ {
			o := Defaults(Host{})
			o.Delimiter = delimiter
			w, err := NewWriter(o, columns)
			require.NoError(t, err)
			for range 5000 {
				s := make([]rune, r.IntN(4))
				for i := range s {
					s[i] = runes[r.IntN(len(runes))]
				}
				text := string(s)
				if w.isPlain(text) && !w.format.IsMissing(text) {
					plain++
					require.False(t, w.needsQuotes(text), "%q between %q", text, delimiter)
				}
			}
		}
	}
	require.Greater(t, plain, 1000)
}
