package viz

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
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
			if got := hasScript(Bar([]string{"x"}, []int{1}).sessionHTML()); got != want {
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
		if s := Line(nil, []int{1, 2}).sessionHTML(); !strings.Contains(s, c.want) {
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
		if s := Line(nil, []int{1, 2}).sessionHTML(); !strings.Contains(s, c.want) {
			t.Errorf("cell %q, number %d: no %q", c.cell, c.count, c.want)
		}
	}
}

func TestScriptDisplayCountsAsShipped(t *testing.T) {
	fresh(t)
	if b := Script().MIMEBundle(); !hasScript(b.Data[display.TypeHTML].(string)) {
		t.Error("Script() does not carry the script")
	}
	if hasScript(Line(nil, []int{1, 2}).sessionHTML()) {
		t.Error("a chart after Script() carries the script again")
	}
}

// A page's fragment does not depend on what was asked for before: a web server gives it to each client.
func TestHTMLIsPure(t *testing.T) {
	fresh(t)
	c := Line(nil, []float64{1, 2, 3})
	first := c.HTML()
	if !hasScript(first) || c.HTML() != first {
		t.Error("the second call gives another fragment, or none carries the script")
	}
	if b := c.MIMEBundle(); !hasScript(b.Data[display.TypeHTML].(string)) {
		t.Error("HTML has taken the session's script")
	}
	if c.HTML() != first {
		t.Error("what a session shows changes the fragment")
	}
	var page bytes.Buffer
	if err := WritePage(&page, "two", c, c); err != nil || strings.Count(page.String(), "DecompressionStream") != 1 {
		t.Errorf("a page of two charts has %d scripts, %v", strings.Count(page.String(), "DecompressionStream"), err)
	}
}

func TestFormats(t *testing.T) {
	fresh(t)
	defer Formats()
	c := Line(nil, []float64{1, 2, 3})
	for want, names := range map[string][]string{
		"image/png image/svg+xml text/html text/plain": nil, "image/png text/plain": {FormatPNG}, "image/svg+xml text/html text/plain": {FormatSVG, FormatHTML},
	} {
		Formats(names...)
		var got []string
		for typ := range c.MIMEBundle().Data {
			got = append(got, typ)
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("Formats(%q): %s, want %s", names, s, want)
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("gif is taken")
			}
		}()
		Formats("gif")
	}()
}

// The picture of a bundle has the colours that matter and few bytes.
func TestSmallPictures(t *testing.T) {
	testsize.InTurn(t, 0)
	for _, c := range gallery() {
		small, large := c.smallPNG(), c.png(dayTheme, 1)
		a, err := png.Decode(bytes.NewReader(small))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := png.Decode(bytes.NewReader(large))
		if a.Bounds() != b.Bounds() || len(small) > 60_000 {
			t.Errorf("%s: %v and %d bytes, in all colours %v and %d", c.Title, a.Bounds(), len(small), b.Bounds(), len(large))
		}
		far := 0
		for y := 0; y < b.Bounds().Dy(); y += 3 {
			for x := 0; x < b.Bounds().Dx(); x += 3 {
				r, g, bl, _ := a.At(x, y).RGBA()
				r2, g2, bl2, _ := b.At(x, y).RGBA()
				if max(absDiff(r, r2), absDiff(g, g2), absDiff(bl, bl2)) > 0x2800 {
					far++
				}
			}
		}
		if far > b.Bounds().Dx()*b.Bounds().Dy()/9/100 {
			t.Errorf("%s: %d of the sampled pixels have another colour", c.Title, far)
		}
	}
}

func absDiff(a, b uint32) uint32 { return max(a, b) - min(a, b) }

func TestBundlesHaveAllForms(t *testing.T) {
	testsize.InTurn(t, 1)
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
		page := strings.Replace(fragment(c, ""), termLinks(c.terms), "", 1) // a link fetches nothing before it is followed
		for _, address := range []string{"src=\"http", "href=\"http", "url(", "import("} {
			if strings.Contains(page, address) {
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
