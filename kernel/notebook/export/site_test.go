package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := Site{Root: root, Title: "T & U", Notebooks: []string{filepath.Join(root, "books/1 a.ipynb"), filepath.Join(root, "books/2.ipynb")}}
	if err := s.Write(dest); err != nil {
		t.Fatal(err)
	}
	page := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dest, name))
		if err != nil {
			t.Error(err)
		}
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
