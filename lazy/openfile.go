package lazy

import (
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload/device"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// Open returns the array of a .npy file, which stays on its disk: only the header is read. What is computed of it reads
// the parts that it needs, piece by piece, and takes no more memory than [SetHostBudget] says, however large the file
// is: elementwise operations, reductions, parts by slices, and what is made of these. What needs all elements at once
// reads the file as a whole where the budget allows it, and is an error otherwise, before it reads.
//
// The file is closed when no array has it any more, or by [Array.Close]. When another program cuts it, or writes to it,
// what reads it is an error; a file that was replaced or removed is read as it was. Texts are an error: Load them.
func Open(path string) (*Array, error) {
	f, err := disk.Open(path, false)
	if err != nil {
		return nil, &Error{Op: "open", Msg: err.Error(), Err: err}
	}
	return open(f)
}

// open returns the array of an open file, which has it alone.
func open(f *disk.File) (*Array, error) {
	if err := f.Retain(); err != nil { // the last to release it closes it
		return nil, err
	}
	defer f.Release()
	of, err := arrays.Wiring{}.NPYFile(f.Path(), f, f.Size())
	if err != nil {
		return nil, err
	}
	if of.Bytes <= smallBytes || len(of.Shape) == 0 { // nobody is told when a small array is gone
		b := make([]byte, of.Bytes)
		if _, err := f.ReadAt(b, of.At); err != nil {
			return nil, &Error{Op: "open", Msg: err.Error(), Err: err}
		}
		if of.Decode != nil {
			of.Decode(b)
		}
		return ordered(FromArray(arrays.FromBytes(of.DType, of.Shape, b)), of.Fortran), nil
	}
	s, err := disk.Range(f, of.At, of.Bytes, of.Decode)
	if err != nil {
		return nil, err
	}
	n := newNode(kindValue, of.DType, contiguous(slices.Clone(of.Shape)), &ordinary)
	n.value = runtime().SourceValue(s)
	n.own().onDisk = true
	return ordered(n.whole(), of.Fortran), nil
}

// tooLarge reports whether a's elements are in a file that may not be read as a whole.
func (a *Array) tooLarge() bool {
	a.ref.mu.Lock()
	defer a.ref.mu.Unlock()
	n := a.ref.node
	return n != nil && n.onDisk && int64(sizeBytes(n)) > runtime().HostBudget()
}

// unshown is what is shown of an array that is too large to be read for that.
func (a *Array) unshown() string {
	size := device.Bytes(int64(a.NBytes()))
	if s, err := a.source(); err == nil && s != nil {
		size += " in " + s.Path()
	}
	return fmt.Sprintf("%v array of shape %s, %s. It is too large to be read and shown as a whole; x.At(np.S(0, 10)) shows a part", a.dtype, shapeTuple(a.layout.Shape), size)
}

// ordered returns a, or the array of which a is the axes in the other order.
func ordered(a *Array, fortran bool) *Array {
	if fortran {
		return a.T()
	}
	return a
}
