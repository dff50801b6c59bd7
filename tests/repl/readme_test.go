package repl_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The screen in README.md is one that TestTerminal sees.
func TestReadmeShowsAScreen(t *testing.T) {
	session, err := os.ReadFile("testdata/readme.txt")
	require.NoError(t, err)
	var screen []string
	for line := range strings.Lines(string(session)) {
		if rest, ok := strings.CutPrefix(line, "|"); ok {
			screen = append(screen, rest)
		}
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	const fence = "```"
	if want := fence + "text\n" + strings.Join(screen, "") + fence; len(screen) == 0 || !strings.Contains(string(readme), want) {
		t.Errorf("README.md lacks the screen of testdata/readme.txt:\n%s", want)
	}
}
