package export

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// file is a notebook as Jupyter saves it, with an output of each kind.
const file = `{"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "go"}}, "cells": [
 {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Title\n", "\n", "|a|b|\n|-|-|\n|1|2|\n", "\n", "<i>raw</i>"]},
 {"cell_type": "raw", "id": "r", "metadata": {}, "source": "for LaTeX"},
 {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 3, "source": "a < b", "outputs": [
  {"output_type": "stream", "name": "stdout", "text": ["10 %\r20 %\n", "x<y\n"]},
  {"output_type": "execute_result", "execution_count": 3, "metadata": {}, "data": {"text/plain": "chart", "image/svg+xml": "<svg/>", "text/html": "<div id='live'></div>"}},
  {"output_type": "display_data", "metadata": {}, "data": {"text/plain": "a picture", "image/png": "iVBORw0K\nGgo=\n"}},
  {"output_type": "display_data", "metadata": {}, "data": {"text/markdown": "*stress*"}},
  {"output_type": "display_data", "metadata": {}, "data": {"application/json": {"k": [1]}}},
  {"output_type": "display_data", "metadata": {}, "data": {"application/vnd.unknown": 1}},
  {"output_type": "error", "ename": "panic", "evalue": "boom", "traceback": ["\u001b[31mboom\u001b[0m", "` + "```" + `"]}]},
 {"cell_type": "code", "id": "e", "metadata": {}, "execution_count": null, "source": "", "outputs": []}]}`

func read(t *testing.T) *notebook.Notebook {
	t.Helper()
	nb, err := notebook.Parse([]byte(file))
	require.NoError(t, err)
	return nb
}

func contains(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		assert.Contains(t, got, w)
	}
}

func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, read(t), Options{Title: "A & B"}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	contains(t, got, "<title>A &amp; B</title>", `<h1 id="title">Title</h1>`, "<td>1</td>", "<i>raw</i>", "[3]", "a &lt; b", "20 %\nx&lt;y",
		"<div id='live'></div>", `alt="a picture" src="data:image/png;base64,iVBORw0KGgo="`, "<em>stress</em>", "&#34;k&#34;: [", ">boom\n```<")
	for _, not := range []string{"for LaTeX", "10 %", "\x1b", "svg/", "http://", "https://"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is in the page", not)
		}
	}
}

func TestHighlight(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, read(t), Options{Highlight: func(s string) string { return "<u>" + s + "</u>" }}); err != nil {
		t.Fatal(err)
	}
	contains(t, b.String(), "<code><u>a < b</u></code>")
}

func TestMarkdown(t *testing.T) {
	got, files, err := Markdown(read(t), "my files")
	require.NoError(t, err)
	contains(t, got, "# Title\n", "```go\na < b\n```", "```\n20 %\nx<y\n```", "![output](my%20files/output_3_2.svg)", "![output](my%20files/output_3_3.png)",
		"\n*stress*\n", "````\nboom\n```\n````")
	want := map[string]string{"my files/output_3_2.svg": "<svg/>", "my files/output_3_3.png": "\x89PNG\r\n\x1a\n"}
	if names := slices.Sorted(maps.Keys(files)); !slices.Equal(names, slices.Sorted(maps.Keys(want))) {
		t.Fatalf("files %q", names)
	}
	for name, content := range want {
		if string(files[name]) != content {
			t.Errorf("%s holds %q", name, files[name])
		}
	}
}
