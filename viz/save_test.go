package viz

import (
	"bytes"
	"encoding/json"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

func saved(t *testing.T, name string, charts ...*Chart) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := Save(path, charts...); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSaveWritesEachForm(t *testing.T) {
	c := Timeline(sampleLog())
	if s := string(saved(t, "a.html", c, Breakdown(sampleLog()))); strings.Count(s, `class="arrayrepl-chart"`) != 2 || !hasScript(s) {
		t.Error("the page does not hold two charts and the script")
	}
	if s := string(saved(t, "a.SVG", c)); s != c.SVG() {
		t.Error("the file is not the chart's SVG")
	}
	img, err := png.Decode(bytes.NewReader(saved(t, "a.png", c)))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != 2*width {
		t.Errorf("the picture is %d by %d", b.Dx(), b.Dy())
	}
	var file struct {
		TraceEvents []struct{ Ph string } `json:"traceEvents"`
	}
	if err := json.Unmarshal(saved(t, "a.json", c), &file); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range file.TraceEvents {
		if e.Ph == "X" {
			n++
		}
	}
	if want := len(sampleLog().Events()); n != want {
		t.Errorf("%d events in the file, want %d", n, want)
	}
}

// The colour of a kernel must be where the kernel is, in PNG as in SVG: in the middle of the first one's lane, 53.5 of
// 113 µs.
func TestPNGIsTheSamePicture(t *testing.T) {
	c := Timeline(sampleLog())
	img, err := png.Decode(bytes.NewReader(c.PNG()))
	if err != nil {
		t.Fatal(err)
	}
	f := lay(c)
	x := float64(f.left) + float64(width-f.right-f.left)*60/113 // right of its label
	y := float64(f.plots[0].top) + 1.5*laneHeight
	r, g, b, _ := img.At(int(2*x), int(2*y)).RGBA()
	if want := rgb(green); uint8(r>>8) != want.R || uint8(g>>8) != want.G || uint8(b>>8) != want.B {
		t.Errorf("the pixel at %v, %v is %x %x %x", x, y, r>>8, g>>8, b>>8)
	}
}

func TestSaveRefusesWithReasons(t *testing.T) {
	old := trace.Last()
	t.Cleanup(func() { trace.SetLast(old) })
	trace.SetLast(nil)
	c, dir := Timeline(sampleLog()), t.TempDir()
	for _, e := range []struct {
		name   string
		charts []*Chart
		want   string
	}{
		{"a.gif", []*Chart{c}, "must end in .html, .svg, .png or .json"},
		{"a.png", []*Chart{c, c}, "2 charts"},
		{"a.svg", nil, "0 charts"},
		{"a.html", nil, "no charts"},
		{"a.json", nil, "nothing has been evaluated yet"},
		{"a.json", []*Chart{Line(nil, []int{1, 2})}, "this one is of data"},
		{"a.json", []*Chart{c, Timeline(sampleLog())}, "holds one trace"},
		{"a.svg", []*Chart{Line(nil, nil)}, "y is <nil>"},
		{"no/such/folder/a.svg", []*Chart{c}, "no such file"},
	} {
		if err := Save(filepath.Join(dir, e.name), e.charts...); err == nil || !strings.Contains(err.Error(), e.want) {
			t.Errorf("%s: %v, want %q", e.name, err, e.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 0 {
		t.Errorf("files %v were written", left)
	}
}

// The dots of a scatter are in the PNG as in the SVG, where round ends of strokes are what one sees of them.
func TestDotsAreInThePNG(t *testing.T) {
	for name, c := range map[string]*Chart{
		"scatter":      Scatter([]float64{0, 1, 2}, []float64{0, 1, 2}),
		"a lone point": Line([]float64{0, 1, 2}, []float64{0, math.NaN(), 2}),
	} {
		m, err := png.Decode(bytes.NewReader(c.PNG()))
		if err != nil {
			t.Fatal(err)
		}
		blues := 0
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				if r, _, b, _ := m.At(x, y).RGBA(); b > r+0x4000 {
					blues++
				}
			}
		}
		if blues < 100 {
			t.Errorf("%s: %d pixels of the series' blue", name, blues)
		}
	}
}
