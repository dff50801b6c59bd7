package offload

import (
	"errors"
	"sync"
)

var process struct {
	sync.Mutex
	rt *Runtime
}

// SetDefault makes rt the runtime of the process, for which the functions of this package work that have none of their
// own.
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

// SetMemLimit bounds the bytes that values may take on each device but the host, as if it had no more memory: programs
// are then computed in pieces that fit. 0 takes the bound away. See Runtime.SetMemLimit.
func SetMemLimit(bytes int64) {
	if rt := Default(); rt != nil {
		rt.SetMemLimit(bytes)
	}
}

// Memory says who holds the memory of devices, by the cell and the operation that made it. It collects garbage first.
func Memory() MemoryUse {
	if rt := Default(); rt != nil {
		return rt.MemoryUse()
	}
	return nil
}

// PieceRows bounds the pieces of evaluations that do not fit in a device's memory to so many rows; 0, as at first,
// makes them as large as is foreseen to be the fastest. See Runtime.PieceRows.
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

// Paging says whether evaluations that do not fit in a device's memory run in pieces, as they do at first; when they do
// not, their error says how much memory they need.
func Paging(on bool) {
	if rt := Default(); rt != nil {
		rt.Paging(on)
	}
}

// Probe measures how fast devices copy to each other and from and to the host; without names, all GPUs of the machine
// of the device in use. See Runtime.Probe.
func Probe(names ...string) (*Links, error) {
	rt := Default()
	if rt == nil {
		return nil, errors.New("probe: there is no runtime whose devices could be probed")
	}
	return rt.Probe(names...)
}
