package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/goplus/ixgo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

var update = flag.Bool("update", false, "write testdata/values.html")

const valuesPage = "testdata/values.html"

// registerGiven registers a package with values of libraries that cells cannot import yet.
func registerGiven() {
	ixgo.RegisterPackage(&ixgo.Package{Name: "given", Path: "given", Funcs: map[string]reflect.Value{
		"Dense":   reflect.ValueOf(func() any { return mat.NewDense(2, 2, []float64{1, 2, 3, 4.5}) }),
		"Vector":  reflect.ValueOf(func() any { return mat.NewVecDense(3, []float64{1, 2, 3}) }),
		"Complex": reflect.ValueOf(func() any { return mat.NewCDense(1, 2, []complex128{1, 2i}) }),
		"Plot":    reflect.ValueOf(func() any { return &plotted{} }),
		"File": reflect.ValueOf(func() any {
			info, err := fstest.MapFS{"data.csv": {Data: make([]byte, 12), Mode: 0o644, ModTime: time.Unix(0, 0).UTC()}}.Stat("data.csv")
			if err != nil {
				panic(err)
			}
			return struct{ fileInfo }{info} // without its String method
		}),
	}})
}

// plotted writes itself as gonum's plot.Plot does, on the same canvases.
type plotted struct{}

func (*plotted) WriterTo(w, h vg.Length, format string) (io.WriterTo, error) {
	var c interface {
		vg.Canvas
		io.WriterTo
	} = vgsvg.New(w, h)
	if format == "png" {
		c = vgimg.PngCanvas{Canvas: vgimg.New(w, h)}
	}
	var line vg.Path
	line.Move(vg.Point{})
	line.Line(vg.Point{X: w, Y: h})
	c.SetLineWidth(2)
	c.Stroke(line)
	return c, nil
}

// valueAddress is where a value lies: another in each run.
var valueAddress = regexp.MustCompile(`0x[0-9a-f]{8,}`)

// TestValuesPage: what cells show whose last value is of each kind that the rules of package display know, as text and
// in the page's words, on both engines. The page is made to be looked at; what each value must show is said in
// kernel/display's own test of values.
func TestValuesPage(t *testing.T) {
	symbols.Register()
	registerGiven()
	rt, err := offload.New(devices(), "host")
	require.NoError(t, err)
	lazy.Wiring{}.SetRuntime(rt)
	display.SetReproducible(true)
	defer display.SetReproducible(false)
	first, second := shownValues(t, "ixgo", nil), shownValues(t, "yaegi", func(cell string) bool { return strings.HasPrefix(cell, "ixgo: ") })
	before := recordedBefore(t)
	var b strings.Builder
	b.WriteString("<!doctype html><meta charset=utf-8><title>What values show</title>\n<style>body{font:14px sans-serif;max-width:1200px;margin:2em auto}" +
		"pre{margin:0;white-space:pre-wrap}table.page{width:100%;table-layout:fixed}img,svg{max-width:320px;height:auto}table.page>tbody>tr>td{vertical-align:top;border-top:1px solid #ccc;padding:6px}.small{color:#666;font-size:12px}.before{color:#666;overflow-wrap:anywhere}</style>\n" +
		"<h1>What values show</h1>\n<p>The last value of a cell as text, and as notebooks show it where that is more. Written by <code>go test ./cmd/arrayrepl -run ValuesPage -update</code>." +
		" Where the second engine's text differs it stands below. The grey column is what the program showed before it had a table of rules for values (recorded once, in November 2026).\n")
	n := 0
	for _, cell := range valueCells {
		if title, ok := strings.CutPrefix(cell, "# "); ok {
			fmt.Fprintf(&b, "</table>\n<h2>%s</h2>\n<table class=page>\n", html.EscapeString(title))
			continue
		}
		n++
		got := first[cell]
		source := strings.TrimPrefix(cell, "ixgo: ")
		fmt.Fprintf(&b, "<tr><td><pre>%s</pre>\n<td>%s\n<td><pre>%s</pre>", html.EscapeString(source), before[source].cell(), html.EscapeString(got.text))
		if other, ok := second[cell]; ok && other.text != got.text {
			fmt.Fprintf(&b, "<div class=small>second engine:</div><pre class=small>%s</pre>", html.EscapeString(valueAddress.ReplaceAllString(other.text, "0x…")))
		}
		fmt.Fprintf(&b, "\n<td>%s<div class=small>%s</div>\n", got.page, strings.Join(got.forms, " "))
	}
	b.WriteString("</table>\n")
	assert.GreaterOrEqual(t, n, 75)
	page := strings.Replace(b.String(), "</table>\n", "", 1)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(valuesPage, []byte(page), 0o666))
		return
	}
	want, err := os.ReadFile(valuesPage)
	require.NoError(t, err)
	if page != string(want) {
		got, kept := strings.Split(page, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(got), len(kept)) {
			require.Equal(t, kept[i], got[i], "line %d; -update writes the page", i+1)
		}
		require.Equal(t, len(kept), len(got))
	}
}

// shownBefore is what a cell's value showed before there were rules for values.
type shownBefore struct {
	Cell, Text, HTML string
	Forms            []string // beside these two
}

// recordedBefore are those of testdata, by cell: what the program of that time gave, which no test can run again.
func recordedBefore(t *testing.T) map[string]shownBefore {
	t.Helper()
	file, err := os.ReadFile("testdata/values-before.jsonl")
	require.NoError(t, err)
	all := map[string]shownBefore{}
	for line := range strings.Lines(string(file)) {
		var v shownBefore
		require.NoError(t, json.Unmarshal([]byte(line), &v))
		all[v.Cell] = v
	}
	return all
}

func (v shownBefore) cell() string {
	if v.Cell == "" {
		return "<div class=small>not tried</div>"
	}
	s := "<pre class=before>" + html.EscapeString(v.Text) + "</pre>" + v.HTML
	return s + "<div class=small>" + strings.Join(v.Forms, " ") + "</div>"
}

type fileInfo = interface {
	Name() string
	Size() int64
	Mode() os.FileMode
	ModTime() time.Time
	IsDir() bool
	Sys() any
}

// shownValue is the text of a value, what a page shows of it, and the names of its other forms.
type shownValue struct {
	text, page string
	forms      []string
}

// shownValues runs the cells in one session and returns what they show, but for those that are skipped.
func shownValues(t *testing.T, engine string, skip func(string) bool) map[string]shownValue {
	t.Helper()
	s, err := interp.New(interp.Options{GoText: true, Engine: engines[engine](), Packages: symbols.Packages(), Arrays: symbols.Arrays(), Evaluate: evaluate})
	require.NoError(t, err)
	defer s.Close()
	run := func(cell string) (display.Bundle, error) {
		b, err := s.RunCell(context.Background(), interp.Cell{Number: 1, Source: cell})
		return b, err
	}
	_, err = run(valueTypes)
	require.NoError(t, err, engine)
	if engine == "ixgo" {
		_, err = run(`sql.Register("fake of values", drv{})`)
		require.NoError(t, err)
	}
	shown := map[string]shownValue{}
	for _, cell := range valueCells {
		if strings.HasPrefix(cell, "# ") || skip != nil && skip(cell) {
			continue
		}
		b, err := run(strings.TrimPrefix(cell, "ixgo: "))
		if !assert.NoError(t, err, "%s: %s", engine, cell) {
			continue
		}
		v := shownValue{text: b.Text()}
		for form := range b.Data {
			if form != display.TypeText {
				v.forms = append(v.forms, form)
			}
		}
		slices.Sort(v.forms)
		v.page = pageOf(b)
		shown[cell] = v
	}
	return shown
}

// pageOf is what a page shows of a bundle: its HTML, of a chart the picture, since its script is long.
func pageOf(b display.Bundle) string {
	page, _ := b.Data[display.TypeHTML].(string)
	if svg, ok := b.Data[display.TypeSVG].(string); ok {
		return svg
	}
	if strings.Contains(page, "arrayrepl-live") {
		var pictures []string
		for _, part := range strings.Split(page, "<img ")[1:] {
			tag, _, _ := strings.Cut(part, ">")
			pictures = append(pictures, "<img "+tag+">")
		}
		return strings.Join(pictures, "\n")
	}
	if text, ok := b.Data[display.TypeMarkdown].(string); ok && page == "" {
		return "<pre>" + html.EscapeString(text) + "</pre>"
	}
	if file, ok := b.Data[display.TypePNG].([]byte); ok && page == "" {
		return `<img src="` + display.DataAddress(file, display.TypePNG) + `">`
	}
	return page
}
