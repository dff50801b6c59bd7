package export

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	nethtml "golang.org/x/net/html"

	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// hostileJSON has texts that run something in a page that keeps them; hit() is what they call. The browser's test has
// them too.
//
//go:embed testdata/hostile.json
var hostileJSON []byte

func hostileTexts(t *testing.T) (list []struct{ Name, Text string }) {
	t.Helper()
	require.NoError(t, json.Unmarshal(hostileJSON, &list))
	return list
}

// bundle is an output.
func bundle(data map[string]any) map[string]any {
	return map[string]any{"output_type": "display_data", "metadata": map[string]any{}, "data": data}
}

// hostile is a notebook with a text in all places where notebooks have some.
func hostile(t *testing.T, text string) *notebook.Notebook {
	t.Helper()
	cells := []any{
		map[string]any{"cell_type": "markdown", "metadata": map[string]any{}, "source": text},
		map[string]any{"cell_type": "code", "metadata": map[string]any{}, "source": text, "outputs": []any{
			bundle(map[string]any{"text/html": text}), bundle(map[string]any{"text/markdown": text}), bundle(map[string]any{"text/latex": text}),
			bundle(map[string]any{"text/plain": text, "image/png": "iVBORw0KGgo="}), bundle(map[string]any{"image/svg+xml": text}),
			map[string]any{"output_type": "stream", "name": text, "text": text},
			map[string]any{"output_type": "error", "ename": text, "evalue": text, "traceback": []any{text}},
		}},
	}
	data, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "cells": cells, "metadata": map[string]any{"language_info": map[string]any{"name": text}}})
	require.NoError(t, err)
	nb, err := notebook.Parse(data)
	require.NoError(t, err)
	return nb
}

var (
	runs   = regexp.MustCompile(`^(script|iframe|frame|object|embed|applet|base|form|input|button|textarea|svg|math|link|area|video|audio|source|template|noscript|frameset|portal)$`)
	scheme = regexp.MustCompile(`^[\x00-\x20]*([A-Za-z][A-Za-z0-9+.-]*)[\s]*:`)
)

// judge fails for each element of a page that could run, load or send something.
func judge(t *testing.T, name, page string) {
	t.Helper()
	root, err := nethtml.Parse(strings.NewReader(page))
	require.NoError(t, err)
	metas := 0
	var walk func(n *nethtml.Node)
	walk = func(n *nethtml.Node) {
		if n.Type == nethtml.ElementNode {
			assert.NotRegexp(t, runs, n.Data, name)
			inHead := n.Parent != nil && n.Parent.Data == "head"
			if n.Data == "meta" || n.Data == "title" || n.Data == "style" {
				metas++
				assert.True(t, inHead, "%s: %s in the page", name, n.Data)
			}
			for _, a := range n.Attr {
				assert.False(t, strings.HasPrefix(a.Key, "on"), "%s: %s=%s", name, a.Key, a.Val)
				assert.NotContains(t, []string{"srcdoc", "formaction", "srcset", "background", "ping", "action"}, a.Key, name)
				if a.Key == "href" || a.Key == "src" || a.Key == "xlink:href" {
					if m := scheme.FindStringSubmatch(a.Val); m != nil {
						s := strings.ToLower(m[1])
						assert.True(t, s == "http" || s == "https" || s == "mailto" || s == "data" && n.Data == "img" && strings.HasPrefix(a.Val, "data:image/"), "%s: %s=%s", name, a.Key, a.Val)
					}
				}
				if a.Key == "style" {
					assert.NotRegexp(t, `(?i)url|expression|position|\\|@`, a.Val, name)
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	assert.Equal(t, 5, metas, "%s: the page's own meta elements, its title and its style", name)
	assert.Contains(t, page, `content="default-src 'none';`)
}

func TestHostileNotebooks(t *testing.T) {
	for _, h := range hostileTexts(t) {
		var b bytes.Buffer
		require.NoError(t, HTML(&b, hostile(t, h.Text), Options{Title: h.Text, Sanitize: true}), h.Name)
		judge(t, h.Name, b.String())

		text, files, err := SanitizedMarkdown(hostile(t, h.Text), "files")
		require.NoError(t, err, h.Name)
		for name, data := range files {
			assert.False(t, strings.HasSuffix(name, ".svg") && bytes.Contains(data, []byte("hit")), "%s: %s", h.Name, name)
		}
		// What is in fences is code; the rest must not have HTML.
		outside := regexp.MustCompile("(?s)(?:^|\n)(`{3,})[^\n`]*\n.*?\n`{3,}(?:\n|$)").ReplaceAllString(text, "\n")
		assert.NotRegexp(t, `(?i)<(script|img|svg|iframe|a|form|object|math|body|meta|base)\b`, outside, h.Name)
		assert.NotRegexp(t, `(?i)\]\(\s*(javascript|data):`, outside, h.Name)
	}
}

// TestTrustedPagesAdmitTheirScripts has a policy under which the page's own scripts run and no others.
func TestTrustedPagesAdmitTheirScripts(t *testing.T) {
	var b, again bytes.Buffer
	nb := hostile(t, `<script>a("<script>")</script><p onclick="b()">`)
	require.NoError(t, HTML(&b, nb, Options{}))
	require.NoError(t, HTML(&again, nb, Options{}))
	assert.Equal(t, b.String(), again.String())
	sum := sha256.Sum256([]byte(`a("<script>")`))
	assert.Contains(t, b.String(), `script-src 'unsafe-eval' 'sha256-`+base64.StdEncoding.EncodeToString(sum[:])+`' 'sha256-`)
	assert.Contains(t, b.String(), `<script>a("<script>")</script>`)
	assert.Contains(t, b.String(), `'unsafe-hashes'`)
	assert.Contains(t, b.String(), `<p onclick="b()">`)
}

func TestWhatIsKept(t *testing.T) {
	for text, want := range map[string]string{
		`<table style="font-variant-numeric:tabular-nums"><tr><td style="text-align:right">1</td></tr></table>`:                                           `<td style="text-align: right">1</td>`,
		`<div class="arrayrepl-chart" style="max-width:640px"><img width="640" alt="a" src="data:image/svg+xml;base64,PHN2Zy8+"><script>1</script></div>`: `src="data:image/svg+xml;base64,PHN2Zy8+"`,
		`<td style="background:linear-gradient(to right,rgba(220,120,40,.35) 50.0%,transparent 0)">1</td>`:                                                `linear-gradient(to right,rgba(220,120,40,.35) 50.0%,transparent 0)`,
		"- [x] done": "☑",
		"[far](https://a.example/b) [near](../c.ipynb#d) [here](#e)": `href="../c.ipynb#d"`,
		"# Part one":                     `<h1 id="part-one">`,
		"<details><summary>s</summary>x": "<details><summary>s</summary>",
		"<label>50 % <progress max=100 value=50></progress></label>": "<progress",
	} {
		var b bytes.Buffer
		require.NoError(t, HTML(&b, hostile(t, text), Options{Sanitize: true}))
		assert.Contains(t, b.String(), want)
	}
}

// TestBrokenOutputs has each bad output fail alone.
func TestBrokenOutputs(t *testing.T) {
	for name, out := range map[string]map[string]any{
		"base64":         bundle(map[string]any{"image/png": "%"}),
		"nothing":        bundle(map[string]any{"image/png": ""}),
		"number":         bundle(map[string]any{"image/png": json.Number("3")}),
		"list":           bundle(map[string]any{"image/png": []any{"a", json.Number("1")}}),
		"no data":        {"output_type": "display_data"},
		"data is text":   {"output_type": "display_data", "data": "x"},
		"data is a list": {"output_type": "execute_result", "data": []any{}},
		"stream":         {"output_type": "stream", "text": json.Number("1")},
		"no text":        {"output_type": "stream"},
		"nothing at all": {},
	} {
		nb := &notebook.Notebook{Cells: []*notebook.Cell{
			{Type: "code", Source: "x", Outputs: []map[string]any{out, {"output_type": "stream", "text": "the next one"}}},
			{Type: "markdown", Source: "and the rest"}}}
		var b bytes.Buffer
		require.NoError(t, HTML(&b, nb, Options{}), name)
		contains(t, b.String(), "This output cannot be shown", "the next one", "and the rest")
		text, _, err := Markdown(nb, "d")
		require.NoError(t, err, name)
		contains(t, text, "This output cannot be shown", "the next one", "and the rest")
	}
	nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: "code", Outputs: []map[string]any{
		bundle(map[string]any{"image/png": []any{"iVBORw0K", "Ggo="}}), {"output_type": "error", "traceback": []any{json.Number("1"), nil}}, {"output_type": "error"}}}}}
	var b bytes.Buffer
	require.NoError(t, HTML(&b, nb, Options{}))
	contains(t, b.String(), "base64,iVBORw0KGgo=")
}

const pasted = `{"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "go\n` + "```" + `\n# out"}}, "cells": [
 {"cell_type": "markdown", "id": "a", "metadata": {}, "attachments": {"a b.png": {"image/png": "iVBORw0KGgo="}, "../../c.svg": {"image/svg+xml": ["<svg xmlns='http://www.w3.org/2000/svg'>", "</svg>"]}, "bad": {"image/png": "%"}},
  "source": "![one](attachment:a%20b.png) <img src='attachment:../../c.svg'> ![three](attachment:bad) ![four](attachment:gone)"},
 {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 1, "source": "x // ` + "`````" + `", "outputs": []}]}`

func TestAttachments(t *testing.T) {
	nb, err := notebook.Parse([]byte(pasted))
	require.NoError(t, err)
	for _, sanitize := range []bool{false, true} {
		var b bytes.Buffer
		require.NoError(t, HTML(&b, nb, Options{Sanitize: sanitize}))
		contains(t, b.String(), `src="data:image/png;base64,iVBORw0KGgo="`, `src="data:image/svg+xml;base64,`, `alt="three"`, `alt="four"`)
		assert.NotContains(t, b.String(), "attachment:")
	}
	text, files, err := Markdown(nb, "my (files)")
	require.NoError(t, err)
	contains(t, text, "![one](my%20%28files%29/attachment_1_2.png)", "src='my%20%28files%29/attachment_1_1.svg'", "\n``````\nx // `````\n``````\n")
	assert.Equal(t, "\x89PNG\r\n\x1a\n", string(files["my (files)/attachment_1_2.png"]))
	assert.Len(t, files, 2)
}

func TestSiteOfStrangers(t *testing.T) {
	root, dest, secret := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "secret.txt")
	script := `<svg xmlns='http://www.w3.org/2000/svg'><script>hit()</script></svg>`
	for file, text := range map[string]string{
		"a.ipynb":   strings.Replace(pasted, "![one]", "[page](evil.html) [drawing](evil.svg) [good](good.svg) [table](t.csv) [out](out.txt) ![one]", 1),
		"evil.html": "<script>hit()</script>", "evil.svg": script, "good.svg": "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>", "t.csv": "1",
		"bad.ipynb": `{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "metadata": {}, "source": "y", "outputs": [{"output_type": "display_data", "data": {"image/png": "%"}}]}]}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	if err := os.Symlink(secret, filepath.Join(root, "out.txt")); err != nil {
		t.Log("no symbolic links here:", err)
	}
	s := Site{Root: root, Title: "</title>", Notebooks: []string{filepath.Join(root, "a.ipynb"), filepath.Join(root, "bad.ipynb")}, Sanitize: func(string) bool { return true }}
	require.NoError(t, s.Write(dest))
	page, err := os.ReadFile(filepath.Join(dest, "a.html"))
	require.NoError(t, err)
	contains(t, string(page), `src="a_files/attachment_1_2.png"`, `href="good.svg"`, `href="t.csv"`)
	bad, err := os.ReadFile(filepath.Join(dest, "bad.html"))
	require.NoError(t, err)
	contains(t, string(bad), "This output cannot be shown")
	for _, not := range []string{"evil.html", "evil.svg", "out.txt"} {
		assert.NotContains(t, string(page), `href="`+not)
		assert.NoFileExists(t, filepath.Join(dest, not))
	}
	picture, err := os.ReadFile(filepath.Join(dest, "a_files/attachment_1_2.png"))
	require.NoError(t, err)
	assert.Equal(t, "iVBORw0KGgo=", base64.StdEncoding.EncodeToString(picture))
}

func TestInertSVG(t *testing.T) {
	head := `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">`
	for _, good := range []string{"<path d='M0 0'/>", "<use xlink:href='#a'/>", "<rect fill='url(#g)'/>", "<image href='data:image/png;base64,AA=='/>", "<style>a{fill:red}</style>"} {
		assert.NoError(t, inertSVG([]byte(head+good+"</svg>")), good)
	}
	for _, bad := range []string{
		"<script>1</script>", "<path onload='1'/>", "<a href='javascript:1'/>", "<foreignObject/>", "<animate/>", "<set/>", "<use href='https://a.example/#b'/>",
		"<h:script xmlns:h='http://www.w3.org/1999/xhtml'/>", "<style>@import 'x'</style>", "<rect fill='url(https://a.example)'/>", "<path>",
		"<x:script xmlns:x='http://www.w3.org/2000/svg'/>", "<handler/>", "<?xml-stylesheet href='a'?>",
	} {
		assert.Error(t, inertSVG([]byte(head+bad+"</svg>")), bad)
	}
	assert.Error(t, inertSVG([]byte(`<!DOCTYPE svg [<!ENTITY a "b">]>`+head+"</svg>")))
}
