package record

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// Write changes its own block and nothing else.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "page.md")
	require.NoError(t, Write(path, "a", "one\n"))
	assert.Equal(t, "# page\n\n## Last run of a\n\n<!-- begin: a -->\none\n<!-- end: a -->\n", read(t, path))
	const before, after = "# Title\n\nBy hand.\n", "\n## Carried over\n\nOld figures.\n"
	require.NoError(t, os.WriteFile(path, []byte(before+after), 0o644))
	block := func(name, text string) string {
		return fmt.Sprintf("\n## Last run of %[1]s\n\n<!-- begin: %[1]s -->\n%[2]s\n<!-- end: %[1]s -->\n", name, text)
	}
	require.NoError(t, Write(path, "a", "one"))
	assert.Equal(t, before+block("a", "one")+after, read(t, path))
	require.NoError(t, Write(path, "b", "two"))
	assert.Equal(t, before+block("a", "one")+block("b", "two")+after, read(t, path))
	require.NoError(t, Write(path, "a", "three"))
	assert.Equal(t, before+block("a", "three")+block("b", "two")+after, read(t, path))
	require.NoError(t, os.WriteFile(path, []byte("<!-- begin: a -->\nno end"), 0o644))
	assert.ErrorContains(t, Write(path, "a", "one"), "has no line <!-- end: a -->")
	assert.Equal(t, "<!-- begin: a -->\nno end", read(t, path))
}

// What is printed between Start and End is in the page, and on the screen.
func TestPage(t *testing.T) {
	was := os.Stdout
	defer func() { os.Stdout = was }()
	dir := t.TempDir()
	screen, err := os.Create(filepath.Join(dir, "screen"))
	require.NoError(t, err)
	os.Stdout = screen
	path := filepath.Join(dir, "page.md")
	p := &Page{path: path}
	require.NoError(t, p.Start())
	fmt.Println("row 1")
	assert.NoFileExists(t, path, "a program that ends here has failed")
	fmt.Println("row 2")
	require.NoError(t, p.End())
	assert.Same(t, screen, os.Stdout)
	assert.Equal(t, "row 1\nrow 2\n", read(t, filepath.Join(dir, "screen")))
	assert.Contains(t, read(t, path), "```text\nrow 1\nrow 2\n```\n<!-- end: ")
	assert.Contains(t, read(t, path), time.Now().UTC().Format("2006-01-"))
	assert.NotContains(t, read(t, path), dir, "a path of this machine")

	none := new(Page)
	require.NoError(t, none.Start())
	fmt.Println("row 3")
	require.NoError(t, none.End())
	assert.True(t, strings.HasSuffix(read(t, filepath.Join(dir, "screen")), "row 3\n"))
}

func TestLine(t *testing.T) {
	for want, args := range map[string][]string{
		"go run ./x -only saxpy":           {"go", "run", "./x", "-o", "/tmp/p.md", "-only", "saxpy"},
		"go run ./x -n 3":                  {"go", "run", "./x", "-o=/tmp/p.md", "-n", "3"},
		"python3 kernel.py arrayrepl=repl": {"/venv/bin/python3", "kernel.py", "arrayrepl=/build/repl"},
		"go test -run '^$' -bench .":       {"go", "test", "-run", "^$", "-bench", "."},
	} {
		assert.Equal(t, want, Line(args))
	}
}

func TestHeader(t *testing.T) {
	day := time.Date(2026, 11, 26, 23, 59, 0, 0, time.UTC)
	h := Header("make x", day, "1.50")
	assert.True(t, strings.HasPrefix(h, "Written by `make x`, 2026-11-26. Machine: "), h)
	assert.True(t, strings.HasSuffix(h, "; its load when this began was 1.50."), h)
	assert.NotContains(t, Header("make x", day, ""), "load")
}
