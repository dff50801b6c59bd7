package lazy

import (
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Places returns the names of the memories that have valid copies of what a is, or of the array that it is a view of,
// or of tiles of that ([Array.Tiling]): "host", and the IDs of devices, "sim:v100x8#3", sorted; none before that has
// been computed. It computes nothing.
func (a *Array) Places() []string {
	a.assigned()
	rt := runtime()
	check("Places", lock(rt.CellContext()))
	defer unlock()
	v := a.view().node.value
	if v == nil {
		return nil
	}
	return rt.PlacesOf(v)
}

// Tiling returns how what a is, or the array that it is a view of, is divided among devices: its tiles, and the device
// that has each; none where one memory has it whole, or before it has been computed. It computes nothing. Its text
// lists the tiles. [offload.MinTile], [offload.MaxTiles] and [offload.SetTiles] say how arrays are divided.
func (a *Array) Tiling() offload.Tiling {
	a.assigned()
	rt := runtime()
	check("Tiling", lock(rt.CellContext()))
	defer unlock()
	n := a.view().node
	if n.value == nil {
		return offload.Tiling{Shape: n.layout.Shape}
	}
	return rt.TilingOf(n.value, n.layout.Shape)
}

// Tiled is [Array.Tiling] for charts, and of an array that a device has made piece by piece the pieces: viz.Places
// draws it.
func (a *Array) Tiled() trace.Tiled {
	t := a.Tiling()
	turns := make([]int, len(t.Tiles))
	if len(t.Tiles) == 0 {
		rt := runtime()
		check("Tiled", lock(rt.CellContext()))
		if n := a.view().node; n.value != nil {
			t, turns = rt.PassedOf(n.value, n.layout.Shape)
		}
		unlock()
	}
	out := trace.Tiled{Shape: t.Shape}
	for i, tile := range t.Tiles {
		to := trace.Tile{Device: tile.Device, Turn: turns[i]}
		for _, r := range tile.Box {
			to.From, to.To, to.Step = append(to.From, r.Start), append(to.To, r.Stop), append(to.Step, r.Step)
		}
		out.Tiles = append(out.Tiles, to)
	}
	return out
}
