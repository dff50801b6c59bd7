package viz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// every is how to make each chart of the package: of a trace, of values, or of a table of values.
// [TestEveryChartIsInTheTable] holds it to the package's functions, so that what walks the table walks every chart
// there is.
var every = map[string]struct {
	trace func(*trace.Log) *Chart
	data  func(x []float64) *Chart // any length
	table func(a *arrays.Array) *Chart
	seen  func(*trace.Accesses) *Chart
}{
	"Timeline":      {trace: func(l *trace.Log) *Chart { return Timeline(l) }},
	"TaskGraph":     {trace: func(l *trace.Log) *Chart { return TaskGraph(l) }},
	"Breakdown":     {trace: func(l *trace.Log) *Chart { return Breakdown(l) }},
	"Occupancy":     {trace: func(l *trace.Log) *Chart { return Occupancy(l) }},
	"OccupancyBySM": {trace: func(l *trace.Log) *Chart { return OccupancyBySM(l) }},
	"Gantt":         {trace: func(l *trace.Log) *Chart { return Gantt(l) }},
	"Stalls":        {trace: func(l *trace.Log) *Chart { return Stalls(l) }},
	"Source":        {trace: func(l *trace.Log) *Chart { return Source(l) }},
	"Reconvergence": {trace: func(l *trace.Log) *Chart { return Reconvergence(l) }},
	"Roofline":      {trace: func(l *trace.Log) *Chart { return Roofline(l) }},
	"Transfers":     {trace: func(l *trace.Log) *Chart { return Transfers(l) }},
	"TransferMap":   {trace: func(l *trace.Log) *Chart { return TransferMap(l) }},
	"Paging":        {trace: pagedOr},
	"Memory":        {trace: func(l *trace.Log) *Chart { return Memory(l) }},
	"Compare":       {trace: func(l *trace.Log) *Chart { return Compare([]string{"before", "after"}, l, l) }},
	"Sweep": {
		trace: func(l *trace.Log) *Chart { return Sweep([]int{1000, 2000}, []*trace.Log{l, l}) },
		data:  func(x []float64) *Chart { return Sweep(x, x) },
	},

	"Policies":   {trace: func(l *trace.Log) *Chart { return Policies([]trace.Program{{Name: "a", Logs: []*trace.Log{l}}}) }},
	"Places":     {seen: func(*trace.Accesses) *Chart { return Places(sampleTiles) }},
	"Candidates": {seen: func(*trace.Accesses) *Chart { return Candidates(sampleChoices) }},
	"Links":      {seen: func(*trace.Accesses) *Chart { return Links(sampleLinks) }},
	"Depths":     {seen: func(*trace.Accesses) *Chart { return Depths(sampleDepths...) }},

	"OccupancyOf":     {trace: func(l *trace.Log) *Chart { return OccupancyOf("", l) }},
	"OccupancyBySMOf": {trace: func(l *trace.Log) *Chart { return OccupancyBySMOf("", l) }},
	"GanttOf":         {trace: func(l *trace.Log) *Chart { return GanttOf("", l) }},
	"SourceOf":        {trace: func(l *trace.Log) *Chart { return SourceOf("", l) }},
	"LaunchMap":       {trace: func(l *trace.Log) *Chart { return LaunchMap(l) }},
	"LaunchMapOf":     {trace: func(l *trace.Log) *Chart { return LaunchMapOf("", l) }},
	"OperationsOf":    {trace: func(l *trace.Log) *Chart { return OperationsOf("", l) }},
	"Issue":           {trace: func(l *trace.Log) *Chart { return Issue(issued(l)) }},
	"IssueOf":         {trace: func(l *trace.Log) *Chart { return IssueOf("", 10, 60, issued(l)) }},
	"Faults":          {trace: func(l *trace.Log) *Chart { return Faults(faulted(l)) }},
	"LineWaits":       {trace: func(l *trace.Log) *Chart { return LineWaits(onLines(l)) }},
	"ReconvergenceOf": {trace: func(l *trace.Log) *Chart { return ReconvergenceOf("", l) }},

	"Slots":     {trace: func(l *trace.Log) *Chart { return Slots(l) }},
	"CTAs":      {trace: func(l *trace.Log) *Chart { return CTAs(l) }},
	"Progress":  {trace: func(l *trace.Log) *Chart { return Progress(l) }},
	"States":    {trace: func(l *trace.Log) *Chart { return States(l) }},
	"IssueBins": {trace: func(l *trace.Log) *Chart { return IssueBins(l) }},

	"Accesses":  {seen: Accesses},
	"Spaces":    {seen: func(*trace.Accesses) *Chart { return Spaces(sampleSpaces) }},
	"Hierarchy": {seen: func(*trace.Accesses) *Chart { return Hierarchy("a machine", sampleLevels) }},

	"Line":     {data: func(x []float64) *Chart { return Line(nil, x) }},
	"Scatter":  {data: func(x []float64) *Chart { return Scatter(x, x) }},
	"Density":  {data: func(x []float64) *Chart { return Density(x, x) }},
	"Bar":      {data: func(x []float64) *Chart { return Bar(strings.Split("abcdef", "")[:min(len(x), 6)], x) }},
	"Hist":     {data: func(x []float64) *Chart { return Hist(x, 5) }},
	"BoxPlot":  {data: func(x []float64) *Chart { return BoxPlot(nil, x) }},
	"Add":      {data: func(x []float64) *Chart { return Line(x, x, Name("a")).Add(x, x, "b") }},
	"AddRight": {data: func(x []float64) *Chart { return Line(x, x, Name("a")).AddRight(x, x, "b") }},
	"HeatMap":  {table: func(a *arrays.Array) *Chart { return HeatMap(a) }},
	"Contour":  {table: func(a *arrays.Array) *Chart { return Contour(a) }},
	"Surface":  {table: func(a *arrays.Array) *Chart { return Surface(a) }},
	"Image":    {table: func(a *arrays.Array) *Chart { return Image(a) }},
	"Lanes":    {table: func(a *arrays.Array) *Chart { return Lanes(a) }},
}

func TestEveryChartIsInTheTable(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || fn.Type.Results == nil || len(fn.Type.Results.List) != 1 {
				continue
			}
			star, ok := fn.Type.Results.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if id, ok := star.X.(*ast.Ident); !ok || id.Name != "Chart" {
				continue
			}
			found++
			if _, ok := every[fn.Name.Name]; !ok {
				t.Errorf("%s makes a chart, and the table of every_test.go lacks it", fn.Name.Name)
			}
		}
	}
	if found != len(every) {
		t.Errorf("the package has %d functions that make charts, the table %d", found, len(every))
	}
}

// ordinary returns a chart of each function, of sampleInside or of plain values.
func ordinary() map[string]*Chart {
	x := []float64{1, 2, 3, 4, 5, 40}
	table := arrays.FromSlice([]float64{0, 1, 2, 3, 4, 0, 6, 7, 8}, 3, 3)
	out := map[string]*Chart{}
	for name, f := range every {
		if f.trace != nil {
			out[name+" of a trace"] = f.trace(sampleInside())
		}
		if f.data != nil {
			out[name] = f.data(x)
		}
		if f.table != nil {
			out[name] = f.table(table)
		}
		if f.seen != nil {
			out[name] = f.seen(sampleAccesses(8))
			out[name+", many"] = f.seen(sampleAccesses(500))
		}
	}
	return out
}

var (
	unitless = regexp.MustCompile(`^(SM|lane|warps resident .*|instructions .*|blocks on the SM|threads that live|% of .*|of \d+ lanes|size|from|to|column|([\w -]+, )?row|step|slot|count)$`)
	howSure  = regexp.MustCompile(`(?i)modelled|timing from|a sample|of all \d|are counted`)
)

// Each chart says what is seen, names its axes with units, has a legend where colours differ, something to say on
// hover, a text for those who do not see it; those of traces also how sure they are, in colours that the documentation
// explains.
func TestEveryChartCanBeRead(t *testing.T) {
	doc, err := os.ReadFile("../docs/charts.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range ordinary() {
		ofTrace := strings.HasSuffix(name, "of a trace")
		if c.Err != nil {
			t.Errorf("%s: %v", name, c.Err)
			continue
		}
		if len(c.Title) < 3 || ofTrace && len(strings.Fields(c.Title)) < 2 {
			t.Errorf("%s: the title %q says nothing", name, c.Title)
		}
		if alt := html.EscapeString(c.alt()); len(alt) < 10 || !strings.Contains(c.SVG(), `aria-label="`+alt+`"`) || !strings.Contains(fragment(c, ""), `alt="`+alt+`"`) {
			t.Errorf("%s: the text that stands for it is %q, and is not in all forms", name, alt)
		}
		if notes := strings.Join(c.Notes, " "); ofTrace && !howSure.MatchString(notes) {
			t.Errorf("%s: no note says how sure its figures are: %q", name, notes)
		}
		colors, named := map[string]bool{}, map[string]bool{}
		for i, p := range c.Panels {
			for _, s := range legendOf(p) {
				named[s.Color] = true
			}
			if p.bare {
				continue
			}
			for k, a := range []Axis{p.X, p.Y} {
				switch {
				case !ofTrace || a.Hidden || a.Categories != nil || a.Name() == "" && k == 0 && c.linked && i < len(c.Panels)-1:
				case a.Label == "" && i < len(c.Panels)-1 && k == 0: // that of the panel below
				case a.Unit == "" && !unitless.MatchString(a.Label):
					t.Errorf("%s, panel %d: axis %q has no unit", name, i, a.Name())
				}
			}
			for _, s := range p.Series {
				if s.Grid != nil {
					if p.Scale == nil && s.Grid.RGB == nil || p.Scale != nil && p.Scale.hidden && len(p.Scale.words) != 3 {
						t.Errorf("%s, panel %d: the cells' colours mean nothing", name, i)
					}
					continue
				}
				if p.Scale == nil || p.Scale.hidden {
					colors[s.Color] = true
				}
				if ofTrace && p.Scale == nil && !strings.Contains(string(doc), "`"+s.Color+"`") && !slices.Contains(issueColors[:], s.Color) && s.Mark != MarkPoint {
					t.Errorf("%s: colour %s of series %q is not in docs/charts.md", name, s.Color, s.Name)
				}
				for _, b := range s.Boxes {
					if lane := int(b.Y0 + 0.5); len(b.Tip) == 0 && (p.tips == nil || lane >= len(p.tips)) && !p.Beside {
						t.Errorf("%s, panel %d, series %q: hovering over %+v says nothing", name, i, s.Name, b)
						break
					}
				}
			}
		}
		for color := range colors {
			if len(colors) > 1 && !named[color] && !slices.Contains(issueColors[:], color) && !strings.HasPrefix(name, "Reconvergence") {
				t.Errorf("%s: colour %s is not in the legend", name, color)
			}
		}
	}
}
