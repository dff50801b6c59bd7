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

	// Pieces is into how many pieces of how many of the Rows they are cut; 0 when they run on the CPU, as they cannot be cut,
	// or, when paging is off, do not run at all.
	Pieces, Piece, Rows int
	Paging              bool
	Took                time.Duration // foreseen of the pieces: the copies, and what the kernels move
}

// String is for people.
func (f Forecast) String() string {
	s := fmt.Sprintf("needs %s, %s has %s: ", device.Bytes(f.Need), f.Device, device.Bytes(f.Room))
	switch {
	case f.Pieces > 0:
		return s + fmt.Sprintf("in %d pieces of %d rows, in %v or more", f.Pieces, f.Piece, trace.FromDuration(f.Took))
	case !f.Paging:
		return s + "it will fail, for offload.Paging is off"
	}
	return s + "it cannot be cut into pieces and will run on the CPU"
}

// Forecast returns what of p will not fit in the current device's memory, and does nothing. It takes what earlier
// evaluations left there to be moved out, as it will be.
func (rt *Runtime) Forecast(p Program) (out []Forecast) {
	rt.take()
	defer rt.release()
	d := rt.current
	if _, shares := d.(device.Sharer); shares {
		return nil
	}
	size := rt.memory.pool(d).Size()
	l := livenessOf(p)
	for i := 0; i < len(p.Tasks); i++ {
		t := p.Tasks[i]
		if t.Launches == nil || t.Pieces == nil {
			continue
		}
		n := pipeline(p.Tasks[i:])
		if n == 0 {
			continue
		}
		plan := planMemory(p.Tasks[i:i+n], nil, func(v *Value) bool { return l.kept(v, i+n) })
		if plan.whole() <= size {
			continue
		}
		f := Forecast{First: i, Tasks: n, Device: d.ID(), Need: plan.whole(), Room: size, Rows: plan.rows, Paging: rt.paging}
		if rt.paging && plan.fit(d, size, rt.pieceRows, rt.policy) {
			f.Took = plan.took
			f.Piece, f.Pieces = plan.piece, (plan.rows+plan.piece-1)/plan.piece
		}
		out = append(out, f)
		i += n - 1
	}
	return out
}
