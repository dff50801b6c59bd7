package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// A command's output is shown and kept; that of one that fails is only shown.
func TestKeep(t *testing.T) {
	judges.Command(t, "sh")
	path := filepath.Join(t.TempDir(), "page.md")
	var screen strings.Builder
	require.NoError(t, keep(path, "numbers", []string{"sh", "-c", "echo 42"}, &screen))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "42\n", screen.String())
	assert.Contains(t, string(text), "<!-- begin: numbers -->\nWritten by `sh -c 'echo 42'`, ")
	assert.Contains(t, string(text), "\n```text\n42\n```\n<!-- end: numbers -->\n")

	err = keep(path, "numbers", []string{"sh", "-c", "echo 43; exit 3"}, &screen)
	assert.ErrorContains(t, err, "exit status 3")
	assert.Equal(t, "42\n43\n", screen.String())
	again, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, text, again)
}
