package lazy

import (
	"context"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// bytesValue returns the value of bytes that exist: those of a mapped file stay as long as the value.
func bytesValue(b []byte) *offload.Value {
	if f := mmap.Of(b); f != nil {
		s, err := disk.Mapped(f, b)
		check("evaluate", err)
		return runtime().SourceValue(s)
	}
	return runtime().HostValue(b)
}

// inFiles returns the placeholders of arrays that lie in mapped files, which nobody else has. What is so small that
// nobody is told when it is gone is copied.
func inFiles(as ...*arrays.Array) []*Array {
	out := make([]*Array, len(as))
	files := map[*mmap.File]bool{}
	for i, a := range as {
		if hasTexts(a.DType()) || a.Size() == 0 {
			out[i] = FromArray(a)
			continue
		}
		t := a.T() // of a file in Fortran's order it is what lies in C's
		inC, inFortran := a.Layout(), t.Layout()
		first := t
		if inC.IsContiguous() || !inFortran.IsContiguous() {
			first = a
		}
		f := mmap.Of(first.Bytes())
		if files[f] = true; f != nil && (a.NBytes() <= smallBytes || a.NDim() == 0) {
			first = first.Copy()
		}
		if out[i] = FromArray(first); first == t {
			out[i] = out[i].T()
		}
	}
	for f := range files {
		if f != nil {
			f.Reclaim()
		}
	}
	return out
}

// Close lets go of the file that a's elements lie in, for a and all others that have them there; it does nothing where
// they lie in none. What is computed of them later is an error. Files that no array has any more are closed by
// themselves.
func (a *Array) Close() error {
	if a.missing() {
		return nil
	}
	s, err := a.source()
	if s == nil {
		return err
	}
	if f := s.File(); f != nil && f.Writable() {
		ctx := runtime().CellContext()
		if err := f.WriteBack(ctx); err != nil && ctx.Err() != nil {
			return err // the file is open still, and what was not written in its cache
		}
	}
	return s.Close()
}

// source is where a's elements are, when that is a file; else nil.
func (a *Array) source() (*disk.Source, error) {
	if err := lock(context.Background()); err != nil {
		return nil, err
	}
	defer unlock()
	n := a.view().node
	for n.kind == kindPatch { // what was assigned to is in the file still
		n = n.args[0].node
	}
	if n.value != nil {
		return n.value.Source(), nil
	}
	return nil, nil
}
