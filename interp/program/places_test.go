package program

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// What is noted of a line stands behind it, with the program's files in the place of the cell.
func TestLinesWithNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(path, []byte("package main\n\nfunc main() {\n\tprintln(1)\n}\n"), 0o644))
	p, err := Read([]string{path})
	require.NoError(t, err)
	lines := p.Lines(&interp.Error{Kind: interp.Panic, Message: "m", Trace: []interp.Frame{
		{Cell: 1, Line: 3, Func: "main"}, {Cell: 1, Line: 4, Func: "main", Note: "which asks for the result"},
	}})
	require.Len(t, lines, 3)
	assert.Regexp(t, `main\.go:\d+, in main$`, lines[1])
	assert.Regexp(t, `main\.go:\d+, in main, which asks for the result$`, lines[2])
}
