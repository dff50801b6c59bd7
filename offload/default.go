package offload

import (
	"errors"
	"fmt"
	"sync"

	"github.com/arrayrepl/arrayrepl/offload/placement"
)

var process struct {
	sync.Mutex
	rt *Runtime
}

// SetDefault makes rt the runtime of the process, for which the functions of this package work that have none of
// their own.
func SetDefault(rt *Runtime) {
	process.Lock()
	process.rt = rt
	process.Unlock()
}

// Default returns the runtime of the process, or nil when there is none.
func Default() *Runtime {
	process.Lock()
	defer process.Unlock()
	return process.rt
}

// SetMemLimit bounds the bytes that values may take on each device but the host, as if it had no more memory:
// programs are then computed in pieces that fit. 0 takes the bound away. See Runtime.SetMemLimit.
//
// For example:
//
//	offload.SetMemLimit(64 << 20) // as if the device had 64 MB
func SetMemLimit(bytes int64) {
	if rt := Default(); rt != nil {
		rt.SetMemLimit(bytes)
	}
}

// Memory says who holds the memory of devices, by the cell and the operation that made it. It collects garbage first.
//
// For example:
//
//	offload.Memory() // who holds memory of the device
func Memory() MemoryUse {
	if rt := Default(); rt != nil {
		return rt.MemoryUse()
	}
	return nil
}

// PieceRows bounds the pieces of evaluations that do not fit in a device's memory to so many rows; 0, as at first,
// makes them as large as is foreseen to be the fastest. See Runtime.PieceRows.
//
// For example:
//
//	offload.PieceRows(1000) // pieces of 1,000 rows
//	offload.PieceRows(0)    // as the runtime chooses
func PieceRows(n int) {
	if rt := Default(); rt != nil {
		rt.PieceRows(n)
	}
}

// SetPieces says how large pieces are made where [PieceRows] does not: [FastestPieces], as at first, or
// [LargestPieces].
func SetPieces(policy PiecePolicy) {
	if rt := Default(); rt != nil {
		rt.SetPieces(policy)
	}
}

// SetPinnedLimit bounds the memory of the host that is pinned for each device; 0 turns that off. See
// Runtime.SetPinnedLimit.
func SetPinnedLimit(bytes int64) {
	if rt := Default(); rt != nil {
		rt.SetPinnedLimit(bytes)
	}
}

// MinTile says how many bytes a tile of an array has at least, when several devices are in use: an array of less than
// two of them is not divided among these. 0, as at first, is 1 kB for each warp of half of those that a GPU has room
// for, 2.62 MB on a V100.
func MinTile(bytes int64) {
	if rt := Default(); rt != nil {
		rt.setTiles(func(t *tiling) { t.least = max(bytes, 0) })
	}
}

// MaxTiles says how many tiles an array has at most; 0, as at first, is one for each device in use.
func MaxTiles(n int) {
	if rt := Default(); rt != nil {
		rt.setTiles(func(t *tiling) { t.most = min(max(n, 0), mostTiles) })
	}
}

// SetTiles says how arrays are cut into tiles: [Slabs], as at first, or [Balanced].
func SetTiles(form TileForm) {
	if rt := Default(); rt != nil {
		rt.setTiles(func(t *tiling) { t.form = form })
	}
}

// WholeArrays says whether the whole array is the unit of what is valid where, as in GrCUDA's unified memory: nothing
// is divided among several devices, a kernel is given all of an array of which it reads a part, and to policies each
// argument counts, results that are yet to be made as what the host has. At first it is not: then parts of arrays are.
//
// For example:
//
//	offload.WholeArrays(true)
func WholeArrays(on bool) {
	if rt := Default(); rt != nil {
		rt.setTiles(func(t *tiling) { t.whole = on })
	}
}

// Paging says whether evaluations that do not fit in a device's memory run in pieces, as they do at first; when they
// do not, their error says how much memory they need.
//
// For example:
//
//	offload.Paging(false) // what does not fit is an error
//	offload.Paging(true)
func Paging(on bool) {
	if rt := Default(); rt != nil {
		rt.Paging(on)
	}
}

// Probe measures how fast devices copy to each other and from and to the host; without names, all GPUs of the machine
// of the device in use. See Runtime.Probe.
//
// For example:
//
//	np.Use("sim:dgx1v")
//	offload.Probe() // GB/s between its GPUs
func Probe(names ...string) (*Links, error) {
	rt := Default()
	if rt == nil {
		return nil, errors.New("probe: there is no runtime whose devices could be probed")
	}
	return rt.Probe(names...)
}

// PolicyNamed is [Policy] with the name of a policy.
func PolicyNamed(name string, threshold ...float64) {
	part := 0.1
	if len(threshold) > 0 {
		part = threshold[0]
	}
	p, err := placement.Named(name, part)
	if err == nil && len(threshold) > 1 {
		err = fmt.Errorf("a policy has one threshold, not %d", len(threshold))
	}
	usePolicy(p, err)
}

// PolicyFunc is [Policy] with a function.
func PolicyFunc(choose func(Candidates) int, threshold ...float64) {
	var err error
	switch {
	case choose == nil:
		err = errors.New("the function is nil")
	case len(threshold) > 0:
		err = errors.New("a function has no threshold: it can compare c.Present(d) with c.Total()")
	}
	usePolicy(placement.Func("of the program", choose), err)
}

func usePolicy(p placement.Policy, err error) {
	if err != nil {
		panic(fmt.Errorf("offload.Policy: %w", err))
	}
	if rt := Default(); rt != nil {
		rt.SetPlacement(p)
	}
}
