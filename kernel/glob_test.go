package kernel

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGlobs: random patterns match what regular expressions of the same meaning match.
func TestGlobs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(letters string, most int) string {
		var b strings.Builder
		for range r.IntN(most + 1) {
			all := []rune(letters)
			b.WriteRune(all[r.IntN(len(all))])
		}
		return b.String()
	}
	matched := 0
	for range 20_000 {
		glob, text := word("aé?*.", 6), word("aé.\n", 8)
		p := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(glob))
		want := regexp.MustCompile(`(?s)\A` + p + `\z`).MatchString(text)
		require.Equal(t, want, globMatches(glob, text), "%q on %q", glob, text)
		if want {
			matched++
		}
	}
	require.Greater(t, matched, 1000)
	require.False(t, globMatches(strings.Repeat("*a", 100_000)+"b", strings.Repeat("a", 1_000_000)), "it ends")
}
