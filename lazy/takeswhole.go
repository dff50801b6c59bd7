package lazy

import "github.com/arrayrepl/arrayrepl/offload"

// takesWhole panics where a, of which op needs all elements at once, is in a file or made of one and more than the
// budget: before op makes anything as large, and before anything is read.
func takesWhole(op string, a *Array) {
	rt := runtime()
	most := rt.HostBudget()
	if !filesOpened.Load() || int64(a.NBytes()) <= most {
		return
	}
	check(op, lock(rt.CellContext()))
	n := a.view().node
	path := largeFile(pending([]*node{n}))(n)
	unlock()
	if path != "" {
		panic(inWhole("", &offload.NotStreamed{Path: path, Need: int64(a.NBytes()), Budget: most}))
	}
}

// picksInBlocks reports whether a is in a file or made of one, more than the budget, and picked from by a mask piece by
// piece. Rows of one, and numbers that kernels have not, are read by their places.
func picksInBlocks(a *Array) bool { return a.NDim() == 1 && inKernels(a.dtype) && a.oversized() != "" }
