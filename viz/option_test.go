package viz

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// parsed is the interactive form as a browser reads it.
type parsed struct {
	Option struct {
		Title  []struct{ Text string }
		Legend []struct{ Data []string }
		XAxis  []struct {
			Type, Name string
			Min, Max   float64
		}
		YAxis []struct {
			Type string
			Data []string
		}
		Series []struct {
			Name, Type, Color string
			XAxisIndex        int
			Data              []json.RawMessage
		}
	}
	Panels []struct {
		X, Y pageAxis
		Grid *struct{ Box []float64 }
	}
}

func parse(t *testing.T, c *Chart) (p parsed) {
	t.Helper()
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	if err := json.Unmarshal(optionJSON(c), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// Every event of the trace must be a rectangle of its kind, from its start to its end, in its panel's unit; and no
// other.
func TestTimelineOptionHasTheNumbersOfTheTrace(t *testing.T) {
	log := sampleLog()
	p := parse(t, Timeline(log))
	units := map[string]trace.Time{"µs": trace.Microsecond, "ms": trace.Millisecond}
	want := map[string]bool{}
	for _, e := range log.Events() {
		u := units["µs"]
		if !e.Modelled {
			u = units["ms"]
		}
		want[fmt.Sprintf("%s %s %.9g %.9g", e.Kind, e.Name, float64(e.Start)/float64(u), float64(e.End)/float64(u))] = true
	}
	for _, s := range p.Option.Series {
		if s.Type != "custom" {
			t.Errorf("series %s has type %s", s.Name, s.Type)
		}
		for _, raw := range s.Data {
			var b struct {
				Name  string
				Value [4]float64
				Tip   []string
			}
			if err := json.Unmarshal(raw, &b); err != nil {
				t.Fatal(err)
			}
			key := fmt.Sprintf("%s %s %.9g %.9g", s.Name, b.Name, b.Value[0], b.Value[1])
			if !want[key] {
				t.Errorf("the chart shows %q, which the trace does not have", key)
			}
			delete(want, key)
			if len(b.Tip) < 3 {
				t.Errorf("%s: hovering shows only %q", b.Name, b.Tip)
			}
		}
	}
	for key := range want {
		t.Errorf("the chart lacks %q", key)
	}
	if got := p.Option.YAxis[0].Data; len(got) != 5 || got[0] != "sim:v100#0 s0 copy in" {
		t.Errorf("device lanes %q", got)
	}
	for i, name := range []string{"time on the device, modelled (µs)", "time on the CPU, measured (ms)"} {
		if p.Option.XAxis[i].Name != name {
			t.Errorf("axis %d is %q, want %q: modelled and measured times must stand apart", i, p.Option.XAxis[i].Name, name)
		}
	}
}

func TestTimelineHoverSaysSizeAndRate(t *testing.T) {
	c := Timeline(sampleLog())
	tip := strings.Join(c.Panels[0].Series[0].Boxes[0].Tip, "\n")
	// 500,000 B / 40 µs
	for _, want := range []string{"x[0:500000]", "copy in on sim:v100#0, stream 0", "40 µs, from 0 ps (modelled)", "500 kB at 12.5 GB/s"} {
		if !strings.Contains(tip, want) {
			t.Errorf("%q lacks %q", tip, want)
		}
	}
	for _, s := range c.Panels[0].Series {
		if s.Name == "kernel" && !strings.Contains(strings.Join(s.Boxes[0].Tip, "\n"), "grid 1954, block 256") {
			t.Errorf("kernel tip %q", s.Boxes[0].Tip)
		}
	}
}

func TestOccupancyOptionHasTheNumbersOfTheTrace(t *testing.T) {
	stats := sampleStats()
	p := parse(t, Occupancy(sampleLog()))
	want := map[string]func(trace.Sample) float64{
		"resident warps":           func(s trace.Sample) float64 { return s.Warps },
		"theoretical limit":        func(trace.Sample) float64 { return 48 }, // 0.75 of 64
		"issued W29–32":            func(s trace.Sample) float64 { return 100 * s.Issued[7] },
		"issued W13–16":            func(s trace.Sample) float64 { return 100 * s.Issued[3] },
		"issued W1–4":              func(s trace.Sample) float64 { return 100 * s.Issued[0] },
		"stall: unit busy":         func(s trace.Sample) float64 { return 100 * s.Stalls[trace.StallPipeline] },
		"stall: dependency":        func(s trace.Sample) float64 { return 100 * s.Stalls[trace.StallShort] },
		"stall: memory or barrier": func(s trace.Sample) float64 { return 100 * s.Stalls[trace.StallLong] },
		"stall: no warp":           func(s trace.Sample) float64 { return 100 * s.Stalls[trace.StallEmpty] },
	}
	top := map[float64]float64{} // of the stack at each start
	for _, s := range p.Option.Series {
		of := want[s.Name]
		if of == nil {
			t.Errorf("unexpected series %q", s.Name)
			continue
		}
		delete(want, s.Name)
		for i, raw := range s.Data {
			if i == len(stats.Timeline) {
				break // the point that closes a line
			}
			sample := stats.Timeline[i]
			start := float64(sample.Start) / 1e6
			if s.Type == "line" {
				var pt [2]float64
				if err := json.Unmarshal(raw, &pt); err != nil {
					t.Fatal(err)
				}
				if s.Name == "theoretical limit" {
					start = []float64{0, 25}[i]
				}
				if !near(pt[0], start) || !near(pt[1], of(sample)) {
					t.Errorf("%s: point %d is %v, want %v %v", s.Name, i, pt, start, of(sample))
				}
				continue
			}
			var b struct{ Value [4]float64 }
			if err := json.Unmarshal(raw, &b); err != nil {
				t.Fatal(err)
			}
			if !near(b.Value[0], start) || !near(b.Value[2], top[start]) || math.Abs(b.Value[3]-b.Value[2]-of(sample)) > 1e-6 {
				t.Errorf("%s: box %d is %v, want from %v, on %v, height %v", s.Name, i, b.Value, start, top[start], of(sample))
			}
			top[start] = b.Value[3]
		}
	}
	for name := range want {
		t.Errorf("no series %q", name)
	}
	for at, v := range top {
		if math.Abs(v-100) > 1e-6 {
			t.Errorf("the shares at %v µs add up to %v %%", at, v)
		}
	}
}

// The static picture draws with the model's numbers: the kernel's rectangles must lie on the line between the axis'
// ends where the trace says.
func TestSVGHasTheNumbersOfTheTrace(t *testing.T) {
	c := Timeline(sampleLog())
	f := lay(c)
	px := func(us float64) float64 { return float64(f.left) + float64(width-f.right-f.left)*us/113 }
	var got [][2]float64
	for _, m := range regexp.MustCompile(`<path d="M([\d.]+),[\d.]+L([\d.]+),[^"]*" style="fill:#009E73`).FindAllStringSubmatch(c.SVG(), -1) {
		var x [2]float64
		fmt.Sscan(m[1], &x[0])
		fmt.Sscan(m[2], &x[1])
		got = append(got, x)
	}
	want := [][2]float64{{41, 66}, {105, 110}, {81, 105}} // lane by lane
	if len(got) != len(want)+1 {
		t.Fatalf("%d green rectangles, want the legend's and %d kernels", len(got), len(want))
	}
	for i, w := range want {
		if g := got[i+1]; math.Abs(g[0]-px(w[0])) > 0.1 || math.Abs(g[1]-px(w[1])) > 0.1 {
			t.Errorf("kernel %d from %v px to %v px, want %v to %v", i, g[0], g[1], px(w[0]), px(w[1]))
		}
	}
}

// What the pictures are made of: elements and attributes of SVG 1.1 (with ARIA's of SVG 2), path data of its grammar,
// numbers that are numbers.
func TestSVGValidates(t *testing.T) {
	allowed := map[string]string{
		"svg": "class xmlns xlink width height viewBox stroke-linecap font-family role aria-label", "g": "transform", "title": "", "style": "",
		"path": "d style", "text": "x y transform style", "image": "x y width height preserveAspectRatio href transform",
	}
	styles := "fill fill-opacity stroke stroke-opacity stroke-width stroke-dasharray stroke-dashoffset font-family font-weight font-style font-size"
	path := regexp.MustCompile(`^M-?[\d.]+,-?[\d.]+(L-?[\d.]+,-?[\d.]+|M-?[\d.]+,-?[\d.]+|Z)*$`)
	number := regexp.MustCompile(`^-?\d+(\.\d+)?$`)
	for _, c := range gallery() {
		d := xml.NewDecoder(strings.NewReader(c.SVG()))
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", c.Title, err)
			}
			e, ok := tok.(xml.StartElement)
			if !ok {
				continue
			}
			names, ok := allowed[e.Name.Local]
			if !ok || e.Name.Space != "http://www.w3.org/2000/svg" {
				t.Fatalf("%s: element %v", c.Title, e.Name)
			}
			for _, a := range e.Attr {
				if !strings.Contains(" "+names+" ", " "+a.Name.Local+" ") {
					t.Errorf("%s: attribute %s of %s", c.Title, a.Name.Local, e.Name.Local)
				}
				switch a.Name.Local {
				case "d":
					if !path.MatchString(a.Value) {
						t.Errorf("%s: path %.80q", c.Title, a.Value)
					}
				case "x", "y", "width", "height":
					if !number.MatchString(a.Value) {
						t.Errorf("%s: %s=%q", c.Title, a.Name.Local, a.Value)
					}
				case "style":
					for _, part := range strings.Split(a.Value, ";") {
						if name, value, _ := strings.Cut(part, ":"); !strings.Contains(" "+styles+" ", " "+name+" ") || value == "" {
							t.Errorf("%s: style %q", c.Title, part)
						}
					}
				}
			}
		}
	}
}

func TestSVGIsXMLWithATitle(t *testing.T) {
	for _, c := range gallery() {
		c.Title += ` <&"'>`
		d := xml.NewDecoder(strings.NewReader(c.SVG()))
		title := ""
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", c.Title, err)
			}
			if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "title" {
				if err := d.DecodeElement(&title, &e); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !strings.HasPrefix(title, c.Title) {
			t.Errorf("title %q, want it to begin with %q", title, c.Title)
		}
	}
}

func TestLineOptionHasTheDataAndItsGaps(t *testing.T) {
	p := parse(t, Line([]int{1, 2, 3}, []float64{0.5, math.NaN(), -2}, Name("a")).Add([]float64{1, 3}, []float32{4, 5}, "b"))
	var got []string
	for _, s := range p.Option.Series {
		var row []string
		for _, d := range s.Data {
			row = append(row, string(d))
		}
		got = append(got, s.Name+": "+strings.Join(row, " "))
	}
	if want := "a: [1,0.5] [2,null] [3,-2]; b: [1,4] [3,5]"; strings.Join(got, "; ") != want {
		t.Errorf("series %q, want %q", got, want)
	}
}
