package export

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// cell is a notebook of one Markdown cell, and an output with a script when one is given.
func cell(markdown, script string) string {
	nb := `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "` + markdown + `"}`
	if script != "" {
		nb += `, {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 1, "source": "x", "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<b>chart</b><script>` + script + `</script><script>small()</script>"}}]}`
	}
	return nb + "]}"
}

func TestSite(t *testing.T) {
	root, dest := t.TempDir(), t.TempDir()
	large := strings.Repeat("s", 60_000)
	for name, text := range map[string]string{
		"books/1 a.ipynb":     cell(`# First & one\n\nWhat it *is*.\n\n## Part\n\n[next](2.ipynb), [text](../docs/look.md#way), ![p](../p.svg), [far](../../etc), [gone](gone.md), [web](https://a.b/c.md)`, large),
		"books/2.ipynb":       cell(`# Second\n\n[back](1%20a.ipynb)\n\n## Part\n\n## Part`, large),
		"docs/look.md":        "# Look\n\n## Way\n\n[more](more/README.md) [again](more) [home](../books/2.ipynb#part)",
		"docs/more/README.md": "# More",
		"p.svg":               "<svg/>",
		"unused.md":           "# Unused",
	} {
		file := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	s := Site{Root: root, Title: "T & U", Notebooks: []string{filepath.Join(root, "books/1 a.ipynb"), filepath.Join(root, "books/2.ipynb")}}
	require.NoError(t, s.Write(dest))
	page := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dest, name))
		assert.NoError(t, err)
		return string(data)
	}
	first, second := page("books/1 a.html"), page("books/2.html")
	contains(t, first, `<a href="../books/2.html">next</a>`, `<a href="../docs/look.html#way">text</a>`, `src="../p.svg"`, "far", "gone", `href="https://a.b/c.md"`,
		`href="../assets/page.css"`, `<a href="../index.html">T &amp; U</a> <a href="../books/2.html">→ 2</a>`, "<script>small()</script>", "<b>chart</b>")
	contains(t, second, `<a href="../books/1%20a.html">back</a>`, `id="part"`, `id="part-1"`)
	contains(t, page("docs/look.html"), `href="../docs/more/README.html">more`, `href="../docs/more/README.html">again`, `href="../books/2.html#part"`)
	contains(t, page("index.html"), `<a href="books/1%20a.html">First &amp; one</a>`, "What it is.", `<a href="books/1%20a.html#part">Part</a>`, `<a href="docs/look.html">Look</a>`, "More")
	contains(t, page("p.svg"), "<svg/>")
	for _, dead := range []string{">far</a>", ">gone</a>", "sssss", "<style>"} {
		if strings.Contains(first, dead) {
			t.Errorf("the first page has %q", dead)
		}
	}
	scripts, err := filepath.Glob(filepath.Join(dest, "assets", "*.js"))
	if err != nil || len(scripts) != 1 {
		t.Fatal("the script is there", len(scripts), "times", err)
	}
	address := `<script src="../assets/` + filepath.Base(scripts[0]) + `"></script>`
	contains(t, first, address)
	contains(t, second, address)
	if _, err := os.Stat(filepath.Join(dest, "unused.html")); err == nil {
		t.Error("a page that nothing leads to")
	}
	if err := (&Site{Root: filepath.Join(root, "docs"), Notebooks: s.Notebooks}).Write(dest); err == nil {
		t.Error("a notebook outside of the root is accepted")
	}
}

// TestSiteWithBadNotebooks: a notebook that cannot be read costs its own page alone, and not the one that it had.
func TestSiteWithBadNotebooks(t *testing.T) {
	root, dest, outside := t.TempDir(), t.TempDir(), t.TempDir()
	good := `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# Good"}]}`
	write := func(dir, name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return file
	}
	s := Site{Root: root, Title: "all", Notebooks: []string{write(root, "a.ipynb", good), write(root, "b.ipynb", `{"nbformat": 4,`), write(root, "c.ipynb", good), filepath.Join(root, "d.ipynb")}}
	require.NoError(t, os.Symlink(write(outside, "secret.ipynb", strings.ReplaceAll(good, "Good", "Secret")), filepath.Join(root, "d.ipynb")))
	write(dest, "b.html", "the page of last week")

	err := s.Write(dest)
	assert.ErrorContains(t, err, "2 of 4 notebooks cannot be read; all other pages are written")
	assert.ErrorContains(t, err, "b.ipynb")
	assert.ErrorContains(t, err, "d.ipynb")
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dest, name))
		require.NoError(t, err)
		return string(data)
	}
	assert.Contains(t, read("a.html"), "Good")
	assert.Contains(t, read("c.html"), "Good")
	assert.Equal(t, "the page of last week", read("b.html"))
	contains(t, read("index.html"), "a.html", "c.html", "b.ipynb cannot be read", "d.ipynb cannot be read")
	assert.NoFileExists(t, filepath.Join(dest, "d.html"))

	// A link out of the site is not written through.
	require.NoError(t, os.Remove(filepath.Join(dest, "a.html")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.ipynb"), filepath.Join(dest, "a.html")))
	assert.ErrorContains(t, s.Write(dest), "a.html")
	data, err := os.ReadFile(filepath.Join(outside, "secret.ipynb"))
	require.NoError(t, err)
	assert.Contains(t, string(data), "Secret")
}

// TestCellsEndAlone: a cell that begins a fence or HTML and does not end it takes in no other cell.
func TestCellsEndAlone(t *testing.T) {
	for _, text := range []string{"```go\nx := 1", "~~~~\nx", "````\n```\nx\n```", "- a\n  ```\n  x", "> ```\n> x", "text\n\n<!-- a", "<script>\nx", "<pre>\nx\n\ny", "<style>\na", "<?php a", "<![CDATA[ a",
		"<!A a", "```\nclosed\n```\n\n```", "    ```\n    code", "$$\nx", "<div>\n\n```", "", "a\n", "| a |\n|---|", "# h", "- a", "<details>"} {
		nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: "markdown", Source: text}, {Type: "markdown", Source: "# The next *cell*"}}}
		for _, write := range []func(*notebook.Notebook, string) (string, map[string][]byte, error){Markdown, SanitizedMarkdown} {
			got, _, err := write(nb, "d")
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(got), &b))
			assert.Contains(t, b.String(), "<h1>The next <em>cell</em></h1>", "%q: %s", text, got)
		}
	}
}
