package program

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// TestBeside finds the file that declares what a program of one file lacks.
func TestBeside(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"main.go":       "package main\n\nfunc main() { helper() }\n",
		"more.go":       "package main\n\ntype T int\n\nfunc (T) method() {}\n\nfunc helper() {}\n\nvar a, b = 1, 2\n",
		"more_test.go":  "package main\n\nfunc tested() {}\n",
		"sub/other.go":  "package main\n\nfunc other() {}\n",
		"ignored.go":    "//go:build ignore\n\npackage main\n\nfunc ignored() {}\n",
		"more_plan9.go": "package main\n\nfunc plan9() {}\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	p, err := Read([]string{"main.go"})
	require.NoError(t, err)
	for name, want := range map[string]string{
		"helper": "more.go declares helper; to run all files of the directory: arrayrepl run .", "b": "more.go declares b; to run all files of the directory: arrayrepl run .",
		"T": "more.go declares T; to run all files of the directory: arrayrepl run .", "method": "", "tested": "", "other": "", "ignored": "", "plan9": "", "main": "",
	} {
		lacks := &interp.Error{Kind: interp.CompileError, Diagnostics: []interp.Diagnostic{{Message: "x"}, {Message: "undefined: " + name}}}
		assert.Equal(t, want, p.Beside(lacks), name)
	}
}
