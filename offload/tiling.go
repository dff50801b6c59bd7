package offload

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// Tile is a part of an array, or of the work of a task, and the device that has it.
type Tile struct {
	Box    partition.Box
	Device string
	Bytes  int64 // of the array; 0 of work
}

// Tiling is how an array, or the work of a task, is divided among devices.
type Tiling struct {
	Shape []int
	Tiles []Tile
}

// mostListed is how many tiles a text lists.
const mostListed = 16

// String lists the tiles, one in a line: "[0:5000, 0:40000] on sim:v100x8#0, 800 MB".
func (t Tiling) String() string {
	if len(t.Tiles) == 0 {
		return "It is not in tiles."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v in %d tiles", shapeText(t.Shape), len(t.Tiles))
	for i, x := range t.Tiles {
		if i == mostListed {
			fmt.Fprintf(&b, "\n  … %d more", len(t.Tiles)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %v on %s", boxText(x.Box), x.Device)
		if x.Bytes > 0 {
			fmt.Fprintf(&b, ", %s", device.Bytes(x.Bytes))
		}
	}
	return b.String()
}

func shapeText(shape []int) string {
	text := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(shape)), ", "), "[]")
	if len(shape) == 1 {
		text += ","
	}
	return "(" + text + ")"
}

// boxText writes a box as indices of a Go slice expression are written.
func boxText(b partition.Box) string {
	ranges := make([]string, len(b))
	for a, r := range b {
		ranges[a] = fmt.Sprintf("%d:%d", r.Start, r.Stop)
		if r.Step > 1 {
			ranges[a] += fmt.Sprintf(":%d", r.Step)
		}
	}
	return "[" + strings.Join(ranges, ", ") + "]"
}

// TilingOf returns how v, whose elements have that shape, is divided among devices: without tiles where it is whole
// somewhere, or is not made.
func (rt *Runtime) TilingOf(v *Value, shape []int) Tiling {
	rt.take()
	defer rt.release()
	out := Tiling{Shape: shape}
	if !v.copies.split {
		return out
	}
	for _, r := range v.copies.tiles {
		t := r.tile
		if t.own == nil {
			continue
		}
		boxes, ok := over([]partition.Box{t.own}, t.root, shape)
		if !ok {
			boxes = []partition.Box{t.own}
		}
		for _, b := range boxes {
			if b.Len() > 0 {
				out.Tiles = append(out.Tiles, Tile{b, r.dev.ID(), int64(b.Len() * t.unit)})
			}
		}
	}
	return out
}

// Assigned is where a task would run.
type Assigned struct {
	Device     device.Device // nil for the CPU; of a task that is divided, that of its first part
	Tiles      Tiling        // the parts of a task that is divided
	Why        string        // one that could have been is not, where several devices are in use
	Costs      []Cost        // of each device that could run a task that is not divided
	FromHost   int64         // bytes that are copied first, from the host and between devices, as the planner foresees
	FromOthers int64
}

// assigned is w for people.
func (w where) assigned() Assigned {
	a := Assigned{Device: w.device, Why: w.why, FromHost: w.fromHost, FromOthers: w.fromOthers}
	if w.tiles == nil {
		return a
	}
	a.Tiles.Shape = w.tiles.shape
	for _, x := range w.tiles.shares {
		box := x.part
		if x.tile != nil {
			box = x.tile
		}
		a.Tiles.Tiles = append(a.Tiles.Tiles, Tile{Box: box, Device: x.on.ID()})
	}
	return a
}

// Cost is what a device would have to be given for a launch, as policies see it.
type Cost struct {
	Device  string
	Total   int64   // bytes of the arguments
	Present int64   // of those, what it has
	Copied  int64   // and that would be copied to it
	Seconds float64 // which takes this long, if each comes by the slowest way
	Busy    int     // streams of it that have work
}

// costs are those of the devices of which c is the choice.
func (rt *Runtime) costs(c Candidates) (out []Cost) {
	for _, d := range c.Devices {
		out = append(out, Cost{rt.among[d].ID(), c.Total(), c.Present(d), int64(c.Bytes(d)), c.Seconds(d), c.Busy(d)})
	}
	return out
}
