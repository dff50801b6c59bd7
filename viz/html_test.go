package viz

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// fresh begins a session in which no output carries the script yet.
func fresh(t *testing.T) {
	reset := func() {
		carrier.carried, carrier.owner, carrier.running, carrier.first, carrier.number = false, "", "", 0, 0
	}
	reset()
	t.Cleanup(reset)
}

func hasScript(html string) bool { return strings.Contains(html, "DecompressionStream") }

func TestScriptIsShippedOnce(t *testing.T) {
	fresh(t)
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			b := Line(nil, []float64{1, 2, 3}).MIMEBundle()
			mu.Lock()
			defer mu.Unlock()
			if hasScript(b.Data[display.TypeHTML].(string)) {
				n++
			}
		})
	}
	wg.Wait()
	if n != 1 {
		t.Errorf("%d of 4 charts carry the script, want 1", n)
	}
}

func TestRunningTheFirstChartsCellAgainShipsTheScriptAgain(t *testing.T) {
	fresh(t)
	for i, step := range []struct {
		cell string
		want []bool // of each chart the cell shows
	}{
		{"a", nil},
		{"b", []bool{true, false}},
		{"c", []bool{false}},
		{"b", []bool{true, false}},
		{"c", []bool{false}},
		{"", []bool{false}},
		{"b", nil}, // its chart is gone, and the script with it
		{"c", []bool{true}},
		{"b", []bool{false}},
	} {
		BeginCell(step.cell, 0)
		for k, want := range step.want {
			if got := hasScript(Bar([]string{"x"}, []int{1}).HTML()); got != want {
				t.Errorf("step %d, cell %q, chart %d: script %v, want %v", i, step.cell, k, got, want)
			}
		}
	}
}

// Where the script is missing, a chart names the cell that has it.
func TestChartsNameTheCellToRun(t *testing.T) {
	fresh(t)
	for _, c := range []struct {
		cell  string
		count int
		want  string
	}{
		{"", 0, "run the cell of the first chart again"},
		{"a", 3, "run the cell of the first chart again"}, // shipped before cells had numbers
	} {
		BeginCell(c.cell, c.count)
		if s := Line(nil, []int{1, 2}).HTML(); !strings.Contains(s, c.want) {
			t.Errorf("cell %q: no %q", c.cell, c.want)
		}
	}
	fresh(t)
	for _, c := range []struct {
		cell  string
		count int
		want  string
	}{
		{"a", 4, "run this cell again"},
		{"b", 7, "run cell [4], which has the charts&#39; script, again"},
		{"a", 9, "run this cell again"},
		{"b", 10, "run cell [9], which has the charts&#39; script, again"},
	} {
		BeginCell(c.cell, c.count)
		if s := Line(nil, []int{1, 2}).HTML(); !strings.Contains(s, c.want) {
			t.Errorf("cell %q, number %d: no %q", c.cell, c.count, c.want)
		}
	}
}

func TestScriptDisplayCountsAsShipped(t *testing.T) {
	fresh(t)
	if b := Script().MIMEBundle(); !hasScript(b.Data[display.TypeHTML].(string)) {
		t.Error("Script() does not carry the script")
	}
	if hasScript(Line(nil, []int{1, 2}).HTML()) {
		t.Error("a chart after Script() carries the script again")
	}
}

func TestBundlesHaveAllForms(t *testing.T) {
	for _, c := range gallery() {
		b := c.MIMEBundle()
		html, _ := b.Data[display.TypeHTML].(string)
		svg, _ := b.Data[display.TypeSVG].(string)
		if !strings.HasPrefix(svg, "<svg ") || !strings.Contains(svg, c.Title) {
			t.Errorf("%s: svg form %.60q", c.Title, svg)
		}
		for _, part := range []string{`class="arrayrepl-chart"`, `src="data:image/svg+xml;base64,`, `alt="`, `<script type="application/json">`, "Static picture. For the interactive chart, run "} {
			if !strings.Contains(html, part) {
				t.Errorf("%s: the html form lacks %s", c.Title, part)
			}
		}
		for _, address := range []string{"src=\"http", "href=\"http", "url(", "import("} {
			if strings.Contains(fragment(c, ""), address) {
				t.Errorf("%s: the html form fetches something: %s", c.Title, address)
			}
		}
		if !strings.HasPrefix(b.Text(), c.Title) {
			t.Errorf("%s: text form %.60q", c.Title, b.Text())
		}
	}
}

func TestDataCannotEndTheScriptElement(t *testing.T) {
	const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>`
	s := fragment(Bar([]string{evil}, []int{1}, Title(evil), Note(evil), Name(evil)), "")
	if strings.Contains(s, "alert(1)</script>") || strings.Contains(s, "<img src=x") {
		t.Error("text of the chart reaches the page as markup")
	}
}

func TestErrorsAreShownAsText(t *testing.T) {
	for name, c := range map[string]struct {
		chart *Chart
		want  string
	}{
		"nothing evaluated": {Timeline(nil), "nothing has been evaluated yet: display an array first"},
		"no kernel":         {OccupancyOf("fft", sampleLog()), `no kernel's name contains "fft"; the evaluation ran mul_add_sqrt, mul_add_sqrt, sum`},
		"lengths":           {Line([]int{1, 2}, []int{1, 2, 3}), "x has 2 values and y has 3"},
		"empty":             {Scatter([]float64{}, []float64{}), "y is empty"},
		"no numbers":        {Line(nil, "abc"), "y is string; want an array or a slice of numbers"},
		"nil":               {Line(nil, nil), "y is <nil>"},
		"labels":            {Bar([]string{"a"}, []int{1, 2}), "the axis has 1 labels, this series 1 labels and 2 values"},
		"bins":              {Hist([]int{1}, 0), "0 bins; want at least 1"},
		"all NaN":           {Hist([]float64{nan}, 3), "x has no finite value"},
		"add to a hist":     {Hist([]int{1, 2}, 2).Add(nil, []int{1}, "b"), "only charts of Line, Scatter and Bar"},
		"added lengths":     {Line(nil, []int{1, 2}).Add([]int{1}, []int{1, 2}, "b"), "x has 1 values and y has 2"},
	} {
		b := c.chart.MIMEBundle()
		if c.chart.Err == nil || !strings.Contains(b.Text(), c.want) || len(b.Data) != 1 {
			t.Errorf("%s: shows %q in %d forms, want text with %q", name, b.Text(), len(b.Data), c.want)
		}
	}
}

func TestEmbeddedScriptIsTheOneInTheReadme(t *testing.T) {
	if len(echartsGz) > 1<<20 {
		t.Errorf("the script takes %d bytes", len(echartsGz))
	}
	z, err := gzip.NewReader(bytes.NewReader(echartsGz))
	if err != nil {
		t.Fatal(err)
	}
	js, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("assets/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(js)); !strings.Contains(string(readme), sum) {
		t.Errorf("assets/README.md does not name the sha256 %s", sum)
	}
	if strings.Contains(runtimeJS, "</script") {
		t.Error("runtime.js would end its own script element")
	}
	if n := len(scriptElement()); n > 520_000 {
		t.Errorf("the script takes %d bytes of a notebook", n)
	}
}
