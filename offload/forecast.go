package offload

import (
	"fmt"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Forecast says what will be done with tasks that do not fit in a device's memory together with their data.
type Forecast struct {
	First, Tasks int    // number of the first, from 0, and how many they are
	Device       string // that they are too large for
	Need, Room   int64  // bytes: what they need at once, and what the device has

	// Pieces is into how many pieces of how many of the Rows they are cut; 0 when they run on the CPU, as they cannot
	// be cut, or, when paging is off, do not run at all.
	Pieces, Piece, Rows int
	Unit                string // what a piece has so many of: "rows", "columns", "elements"
	Why                 string // it runs on the CPU
	Paging              bool
	Took                time.Duration // foreseen of the pieces: the copies, and what the kernels move
}

// String is for people.
func (f Forecast) String() string {
	s := fmt.Sprintf("needs %s, %s has %s: ", device.Bytes(f.Need), f.Device, device.Bytes(f.Room))
	switch {
	case f.Pieces > 0:
		pieces := "pieces"
		if f.Pieces == 1 {
			pieces = "piece"
		}
		return s + fmt.Sprintf("in %d %s of %d %s, in %v or more", f.Pieces, pieces, f.Piece, f.Unit, trace.FromDuration(f.Took))
	case !f.Paging:
		return s + "it will fail, for offload.Paging is off"
	}
	return s + f.Why + ": it will run on the CPU"
}

// Forecast returns what of p will not fit in the current device's memory, and does nothing. It takes what earlier
// evaluations left there to be moved out, as it will be.
func (rt *Runtime) Forecast(p Program) (out []Forecast) {
	rt.take()
	defer rt.release()
	d := rt.current
	if !rt.large(p) {
		return nil
	}
	size := rt.memory.pool(d).Size()
	l := livenessOf(p)
	for i := 0; i < len(p.Tasks); i++ {
		t := p.Tasks[i]
		if t.Launches == nil {
			continue
		}
		if rt.fitsInTiles(t, size) {
			continue
		}
		all := chains(rt.together(p.Tasks[i:]))
		f := Forecast{First: i, Tasks: 1, Device: d.ID(), Need: l.settle(all, nil, i), Room: size, Paging: rt.paging}
		if all == nil {
			f.Need = Program{Tasks: p.Tasks[i : i+1]}.bytes()
		}
		if f.Need <= size {
			continue
		}
		if best := rt.fastest(all, d, nil, size, i, l); !rt.paging {
			f.Tasks = 0
			for _, p := range all {
				f.Tasks = max(f.Tasks, len(p.tasks))
			}
			f.Tasks = max(f.Tasks, 1)
		} else if best != nil {
			f.Tasks, f.Took, f.Rows, f.Unit = len(best.tasks), best.took, best.rows, best.cuts[0].Unit
			f.Piece, f.Pieces = best.piece, (best.rows+best.piece-1)/best.piece
		} else {
			f.Why = t.uncut()
		}
		out = append(out, f)
		i += f.Tasks - 1
	}
	return out
}
