package viz

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Bounds of what is drawn of a policy's states.
const (
	maxDrawnStates = 64
	maxTextStates  = 8 // in a terminal
)

// States draws what the machine's policy for lanes that part knew, state by state, of the longest kernel of the logs
// of which a window was kept ([github.com/arrayrepl/arrayrepl/simgpu.Window]): the stack of a warp under PDOM, its
// frontier under TF, its hot and cold contexts (HCT, CCT) under SBI; the pool, the PC-warp table, and the heap with its
// queue of the first scheduler under DWF. A column is a state, a box an entry; below the live chart the slider shows
// each state as a table. The warp is the first of the window whose lanes part.
//
// For example:
//
//	np.Use(simgpu.Custom("fermisbi-64", simgpu.WithDivergence(simgpu.SBI{Constraints: true}), simgpu.Window(0, 400)))
//	viz.States(gpu.Launch(ways, 8, 64, x, 4).Log())
func States(logs ...*trace.Log) *Chart {
	k, logs, err := windowed("States", "", logs)
	if err != nil {
		return &Chart{Err: err}
	}
	d := k.Stats.Detail
	w := d.Window
	states := w.States[:min(len(w.States), maxDrawnStates)]
	if len(states) == 0 {
		return failed("States: in cycles %d to %d no lanes of a warp part on the first SM of %s, or its policy has no tables", w.From, w.To-1, k.Device)
	}
	pl := &player{Lanes: k.Stats.WarpSize}
	type band struct {
		name        string
		rows        int
		next, waits Series
	}
	var bands []*band
	find := func(name string) *band {
		for _, b := range bands {
			if b.name == name {
				return b
			}
		}
		bands = append(bands, &band{name: name, rows: 1, next: Series{Name: "executes next", Mark: MarkBox, Color: green}, waits: Series{Name: "waits", Mark: MarkBox, Color: blue}})
		return bands[len(bands)-1]
	}
	for i, s := range states {
		for t, table := range s.Tables {
			b := find(table.Name)
			b.rows = max(b.rows, len(table.Rows))
			for r, row := range table.Rows {
				to := &b.waits
				if s.Block >= 0 && t == 0 && (r == 0 || table.Name == "HCT") && row.Note != "suspended" {
					to = &b.next
				}
				label := fmt.Sprint(row.Count)
				if row.Block >= 0 {
					label = fmt.Sprintf("b%d: %d", row.Block, row.Count)
				}
				to.Boxes = append(to.Boxes, Box{X0: float64(i), X1: float64(i + 1), Y0: float64(r) - laneThick/2, Y1: float64(r) + laneThick/2, Label: label,
					Tip: []string{fmt.Sprintf("cycle %d, %s, %s", s.Cycle, table.Name, row.Place), strings.TrimSpace(nextOf(d, row))}})
			}
		}
		pl.Lines = append(pl.Lines, stateTitle(s))
		pl.Steps = append(pl.Steps, played{Line: i})
		pl.Tables = append(pl.Tables, strings.Join(stateText(d, s, pl.Lanes), "\n"))
	}
	first := states[0]
	of := "the first scheduler"
	if first.Block >= 0 {
		of = fmt.Sprintf("warp %d of block %d", first.Warp, first.Block)
	}
	c := &Chart{kernel: k.Name, Title: "States of the policy for lanes, kernel " + k.Name, logs: logs, terms: []string{"divergence", "reconvergence", "active lanes"},
		Subtitle: fmt.Sprintf("%s on %s, %s states in cycles %d to %d", of, k.Device, count(len(states)), first.Cycle, states[len(states)-1].Cycle), player: pl, linked: true}
	for i, b := range bands {
		p := Panel{Height: 20*b.rows + 4, X: Axis{Max: float64(len(states)), Hidden: i < len(bands)-1}, text: []string{},
			Y: Axis{Label: "row", Down: true, Min: -0.5, Max: float64(b.rows) - 0.5}}
		for r := range b.rows {
			p.Y.Names = append(p.Y.Names, fmt.Sprint(r))
		}
		if len(bands) > 1 {
			p.Y.Label = b.name + ", row"
		}
		if i == len(bands)-1 {
			p.X.Label = "step"
		}
		for _, s := range []Series{b.next, b.waits} {
			if len(s.Boxes) > 0 {
				p.Series = append(p.Series, s)
			}
		}
		c.Panels = append(c.Panels, p)
	}
	var text []string
	for _, s := range states[:min(len(states), maxTextStates)] {
		text = append(text, stateTitle(s))
		text = append(text, stateText(d, s, pl.Lanes)...)
	}
	c.Panels[0].text = text
	c.Notes = append(c.Notes, "A label is the basic block that the entry's threads execute next, and how many they are.")
	if first.Block < 0 {
		c.Notes = append(c.Notes, "In the tables a character is a lane: the warp in which its thread began, 0 to 9, a to z, A to Z.")
	}
	if n := len(w.States); n > len(states) || w.Cut {
		c.Notes = append(c.Notes, fmt.Sprintf("The first %s states of the window are drawn; simgpu.Window names other cycles.", count(len(states))))
	}
	c.Notes = append(c.Notes, modelNote(logs)...)
	return c
}

func stateTitle(s trace.State) string {
	if s.Block < 0 {
		return fmt.Sprintf("cycle %d, scheduler %d", s.Cycle, s.Scheduler)
	}
	return fmt.Sprintf("cycle %d, warp %d of block %d", s.Cycle, s.Warp, s.Block)
}

// nextOf is what a row's threads execute next, and its note.
func nextOf(d *trace.Detail, r trace.Row) string {
	out := ""
	if r.Block >= 0 {
		out = fmt.Sprintf("b%d", r.Block)
	}
	if r.Line >= 0 && int(r.Line) < len(d.Lines) {
		out += "  " + d.Lines[r.Line].Text
	}
	if r.Note != "" {
		out += "  (" + r.Note + ")"
	}
	return out
}

// stateText is a state as tables.
func stateText(d *trace.Detail, s trace.State, lanes int) (out []string) {
	for _, t := range s.Tables {
		out = append(out, t.Name+":")
		if len(t.Rows) == 0 {
			out[len(out)-1] += " empty"
		}
		wide, anyLanes := 0, false
		for _, r := range t.Rows {
			wide, anyLanes = max(wide, len(r.Place)), anyLanes || r.Lanes != 0
		}
		for _, r := range t.Rows {
			row := ""
			if anyLanes {
				row = rowLanes(r, lanes) + "  "
			}
			out = append(out, strings.TrimRight(fmt.Sprintf("  %-*s  %s%3d threads  %s", wide, r.Place, row, r.Count, nextOf(d, r)), " "))
		}
		if t.More > 0 {
			out = append(out, fmt.Sprintf("  and %d more", t.More))
		}
	}
	return out
}

const warpDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// rowLanes is the lanes of a row, a character each.
func rowLanes(r trace.Row, lanes int) string {
	out := []byte(strings.Repeat(".", lanes))
	for rest := r.Lanes; rest != 0; rest &= rest - 1 {
		l := bits.TrailingZeros64(rest)
		if l >= lanes {
			break
		}
		out[l] = '#'
		if l < len(r.Threads) && r.Threads[l] >= 0 {
			out[l] = warpDigits[int(r.Threads[l])/lanes%len(warpDigits)]
		}
	}
	return string(out)
}
