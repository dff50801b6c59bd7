package design

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNamedCode: each file that pages about the design name beside a function, type or constant declares it: in
// "`Use` in [file](path)" and in "`Use` ([file](path))".
func TestNamedCode(t *testing.T) {
	beside := regexp.MustCompile("`(?:[A-Z]\\w*\\.)?([A-Za-z0-9]+)`\\s+(?:in\\s+|\\()\\[[^\\]]+\\]\\(([^)]+\\.go)\\)")
	for page, fewest := range map[string]int{"questions.md": 25, "placement.md": 8, "interrupts.md": 2} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		named := beside.FindAllStringSubmatch(string(text), -1)
		assert.Greater(t, len(named), fewest, page)
		for _, m := range named {
			source, err := os.ReadFile(filepath.FromSlash(m[2]))
			require.NoError(t, err)
			declared := regexp.MustCompile(`(?m)^(?:func(?: \([^)]*\))?|type|const|var) ` + m[1] + `\b`)
			assert.True(t, declared.Match(source), "%s: %s does not declare %s", page, m[2], m[1])
		}
	}
}
