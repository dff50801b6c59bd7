package widgets

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Box holds widgets.
type Box struct {
	*Base
	children []Widget
}

func newBox(kind string, state map[string]any, children []Widget) *Box {
	if state == nil {
		state = map[string]any{}
	}
	state["children"] = refs(children)
	b := &Box{newBase(controls, kind, "", "", state), children}
	b.text = func() string {
		var lines []string
		for _, c := range b.children {
			lines = append(lines, c.Common().text())
		}
		return strings.Join(lines, "\n")
	}
	return b
}

func refs(children []Widget) []string {
	out := make([]string, 0, len(children))
	for _, c := range children {
		out = append(out, c.Common().m.ref())
	}
	return out
}

// SetChildren puts other widgets into the box.
func (b *Box) SetChildren(children ...Widget) {
	b.children = children
	b.SetState("children", refs(children))
}

// HBox holds widgets beside one another.
func HBox(children ...Widget) *Box { return newBox("HBox", nil, children) }

// VBox holds widgets below one another.
func VBox(children ...Widget) *Box { return newBox("VBox", nil, children) }

// Grid holds widgets in rows of so many columns.
func Grid(columns int, children ...Widget) *Box {
	if columns < 1 {
		panic(fmt.Errorf("widgets: a Grid of %d columns", columns))
	}
	b := newBox("GridBox", nil, children)
	b.SetLayout(Layout{GridTemplateColumns: fmt.Sprintf("repeat(%d, auto)", columns), GridGap: "4px 12px", JustifyContent: "start"})
	return b
}

// titled is a box that shows one child at a time, or some, by titles.
func titled(kind string, titles []string, children []Widget) *Box {
	if len(titles) != len(children) {
		panic(fmt.Errorf("widgets: %s: %d titles for %d widgets", kind, len(titles), len(children)))
	}
	return newBox(kind, map[string]any{"titles": titles, "selected_index": 0}, children)
}

// Tab shows one of several widgets, which a row of titles chooses.
func Tab(titles []string, children ...Widget) *Box { return titled("Tab", titles, children) }

// Accordion shows titles below one another, with the widget of the one that is open.
func Accordion(titles []string, children ...Widget) *Box {
	return titled("Accordion", titles, children)
}

// Stack shows one of several widgets: that whose number Select says.
func Stack(children ...Widget) *Box {
	return newBox("Stack", map[string]any{"selected_index": 0}, children)
}

// Select shows the child with this number, of a Tab, an Accordion or a Stack.
func (b *Box) Select(i int) { b.SetState("selected_index", i) }

// Parts are the places of an [AppLayout]; nil ones stay empty.
type Parts struct{ Header, Left, Center, Right, Footer Widget }

// AppLayout is a page: a header and a footer, and between them a centre with something at its sides.
func AppLayout(p Parts) *Box {
	b := newBox("GridBox", nil, nil)
	var children []Widget
	row := []string{"center", "center", "center"}
	put := func(w Widget, area string) bool {
		if w == nil {
			return false
		}
		w.Common().SetLayout(Layout{GridArea: area})
		children = append(children, w)
		return true
	}
	areas, rows := []string{}, []string{}
	if put(p.Header, "header") {
		areas, rows = append(areas, `"header header header"`), append(rows, "auto")
	}
	if put(p.Left, "left") {
		row[0] = "left"
	}
	put(p.Center, "center")
	if put(p.Right, "right") {
		row[2] = "right"
	}
	areas, rows = append(areas, `"`+strings.Join(row, " ")+`"`), append(rows, "1fr")
	if put(p.Footer, "footer") {
		areas, rows = append(areas, `"footer footer footer"`), append(rows, "auto")
	}
	b.SetChildren(children...)
	b.SetLayout(Layout{GridTemplateAreas: strings.Join(areas, " "), GridTemplateRows: strings.Join(rows, " "), GridTemplateColumns: "1fr 2fr 1fr", GridGap: "8px", Width: "100%"})
	return b
}

// Output is a place in the page for what functions print and show.
type Output struct{ *Base }

// NewOutput makes an empty one.
func NewOutput() *Output { return newOutput([]any{}) }

func newOutput(outputs []any) *Output {
	o := &Output{newBase("@jupyter-widgets/output", "Output", "", "", map[string]any{"msg_id": "", "outputs": outputs})}
	o.text = func() string { return "" }
	return o
}

// Capture calls f and puts there what it prints and shows: while msg_id is set, a client does that with all that is
// published for the request. It must be the only call at a time.
func (o *Output) Capture(f func()) {
	if s := o.m.comm.sender; s != nil {
		o.m.set(map[string]any{"msg_id": s.ParentID()})
		defer o.m.set(map[string]any{"msg_id": ""})
	}
	f()
}

// outputsOf is what an Output holds that has b. A first result is not captured: a client that executes a notebook
// answers each message that it captures, on the channel on which it waits for the end of the cell, and nbclient 0.11
// may then wait for ever.
func outputsOf(b display.Bundle) []any {
	data, err := b.MarshalData()
	if err != nil || b.Empty() || b.Text() == "" && len(b.Data) == 1 {
		return []any{}
	}
	meta := b.Metadata
	if meta == nil {
		meta = map[string]any{}
	}
	return []any{map[string]any{"output_type": "display_data", "data": data, "metadata": meta}}
}

// Clear empties it.
func (o *Output) Clear() { o.m.set(map[string]any{"outputs": []any{}}) }
