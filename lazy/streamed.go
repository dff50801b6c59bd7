package lazy

import (
	"os"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/replace"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// SetHostBudget bounds the memory of the host that reading and writing arrays in files takes, however large they are:
// those of [Open], and what [Save] writes. 0 is an eighth of what is free, as at first.
func SetHostBudget(bytes int64) { runtime().SetHostBudget(bytes) }

// large reports whether a is not in memory, and larger than the budget of what is done with files.
func (a *Array) large() bool {
	if a.dtype.IsString() || hasTexts(a.dtype) || int64(a.NBytes()) <= runtime().HostBudget() {
		return false
	}
	v := a.view().node.value
	return v == nil || !v.OnHost()
}

// saveInPieces writes a to a file, piece by piece: *offload.NotStreamed where it cannot be made so.
func (a *Array) saveInPieces(path string) error {
	n := newNode(kindCast, a.dtype, contiguous(a.layout.Shape), &ordinary, a.view())
	head := arrays.Wiring{}.NPYHeader(a.dtype, a.layout.Shape)
	return replace.InPlaces(path, func(f *os.File) error {
		if _, err := f.Write(head); err != nil {
			return err
		}
		sink, err := disk.Range(disk.On(path, disk.Pread{File: f}, true), int64(len(head)), int64(sizeBytes(n)), nil)
		if err != nil {
			return err
		}
		return n.streamTo(sink)
	})
}

// streamTo computes n, which nobody else has, into a file. What it is computed from is not kept, though somebody may
// ask for it later: it would be as large.
func (n *node) streamTo(sink *disk.Source) error {
	rt, x := runtime(), []*Array{n.whole()}
	ctx := rt.CellContext()
	if err := choose(ctx, x); err != nil {
		return err
	}
	if err := lock(ctx); err != nil {
		return err
	}
	defer unlock()
	if err := recompute(ctx, rt, x); err != nil {
		return err
	}
	s, err := plan(rt, x, false, 0)
	if err != nil {
		return err
	}
	for i, g := range s.of {
		t := s.program.Tasks[i]
		if g.root.launch != nil || g.root.portion { // which do not run again
			continue
		}
		t.Temporary = nil
		for _, out := range g.outs {
			if out.value != n.value && (out.host == nil || out.host.makes == nil) {
				t.Temporary = append(t.Temporary, out.value)
			}
		}
	}
	if len(s.of) == 0 { // all of a file as it is
		if from := s.wanted[0].node.value.Source(); from != nil {
			return disk.Copy(ctx, sink, from)
		}
		return &offload.NotStreamed{Path: sink.Path()}
	}
	v := n.value
	v.SetSink(sink)
	defer v.SetSink(nil)
	return s.run(rt)
}
