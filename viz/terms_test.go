package viz

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/docs"
)

// Every word that a chart of the gallery links to is in the glossary, at the address that the link has.
func TestTermsAreInTheGlossary(t *testing.T) {
	seen := 0
	for _, c := range gallery() {
		for _, name := range c.terms {
			_, ok := docs.Term(name)
			require.True(t, ok, "%s: %q is not in the glossary", c.Title, name)
			assert.Contains(t, c.sessionHTML(), `href="`+docs.TermAddress(name)+`"`)
			seen++
		}
	}
	assert.Greater(t, seen, 20)
}
