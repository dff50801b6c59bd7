package lazy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"weak"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/replace"
	"github.com/arrayrepl/arrayrepl/offload"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// inFile is the one array of a file that can be assigned to. An assignment changes the file when it is made, so what
// waits to be computed of the elements as they were is computed before.
type inFile struct {
	file *disk.File
	of   arrays.NPYFile

	mu      sync.Mutex
	storage weak.Pointer[storage]
	waiting []weak.Pointer[node] // what is made of the elements, some of it by now
	pruned  int                  // how many there were when those that are gone were left out last
}

// Create makes a .npy file of zeros, in the place of one that is there, and returns its array, which stays on the disk:
// assignments to it and kernels change the file. It takes no room on the disk before it is written to, where the disk
// can do that. [Array.Flush] makes sure that the file has everything.
func Create(path string, dtype DType, shape ...int) (*Array, error) {
	if hasTexts(dtype) || dtype.IsString() {
		return nil, &Error{Op: "create", Msg: fmt.Sprintf("a file that is written in parts needs elements of one size, and those of %v differ: Save writes the array as a whole", dtype)}
	}
	if _, err := os.Stat(path); err == nil {
		f, err := disk.Open(path, disk.Options{Write: true})
		if err != nil {
			return nil, &Error{Op: "create", Msg: err.Error(), Err: err}
		}
		if f.Used() {
			return nil, &Error{Op: "create", Msg: path + " is open for writing: Close that array before"}
		}
		f.Close()
	}
	l := contiguous(shape) // it checks the shape
	head := arrays.Wiring{}.NPYHeader(dtype, shape)
	err := replace.InPlaces(path, func(f *os.File) error {
		if _, err := f.Write(head); err != nil {
			return err
		}
		return f.Truncate(int64(len(head)) + int64(l.Size())*int64(dtype.Size()))
	})
	if err != nil {
		return nil, &Error{Op: "create", Msg: err.Error(), Err: err}
	}
	return Open(path, Writable())
}

// writableArray returns the array of a file that is open for writing, which is one for all who open it.
func writableArray(f *disk.File, of arrays.NPYFile) (*Array, error) {
	w := f.Beside(func() any { return &inFile{file: f, of: of} }).(*inFile)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of.DType != of.DType || !slices.Equal(w.of.Shape, of.Shape) || w.of.Decode == nil != (of.Decode == nil) {
		return nil, &Error{Op: "open", Msg: fmt.Sprintf("%s is open for writing as %s of %v", f.Path(), shapeTuple(w.of.Shape), w.of.DType)}
	}
	if of.Decode != nil && of.DType != Bool {
		return nil, &Error{Op: "open", Msg: f.Path() + " has the other order of bytes: it is opened for reading alone; Save writes one that can be written to"}
	}
	if s := w.storage.Value(); s != nil {
		return ordered(newView(s, contiguous(of.Shape)), of.Fortran), nil
	}
	n, err := w.node()
	if err != nil {
		return nil, err
	}
	a := n.whole()
	w.storage = weak.Make(a.storage)
	return ordered(a, of.Fortran), nil
}

func newView(s *storage, l *arrays.Layout) *Array { return &Array{storage: s, layout: l} }

// node returns a node of the elements as they are now.
func (w *inFile) node() (*node, error) {
	n, err := fileNode(w.file, w.of)
	if err == nil {
		n.own().inFile = w
	}
	return n, err
}

// inFile is the file that assignments to a change; nil where its elements are not in one.
func (a *Array) inFile() *inFile {
	a.ref.mu.Lock()
	defer a.ref.mu.Unlock()
	if n := a.ref.node; n != nil {
		return n.inFile
	}
	return nil
}

// readsFiles notes of which files n is made. They know it then.
func (n *node) readsFiles() {
	if len(n.args) == 0 && len(n.of) > 0 { // its elements are there
		n.of = nil
	}
	for _, a := range n.args {
		r := a.node.rare
		if r == &ordinary {
			continue
		}
		if r.inFile != nil {
			n.waitsFor(r.inFile)
		}
		for _, w := range r.of {
			n.waitsFor(w)
		}
	}
}

func (n *node) waitsFor(w *inFile) {
	if slices.Contains(n.of, w) {
		return
	}
	n.own().of = append(n.of, w)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) > 2*w.pruned+64 {
		w.waiting = slices.DeleteFunc(w.waiting, func(p weak.Pointer[node]) bool { m := p.Value(); return m == nil || m.done() })
		w.pruned = len(w.waiting)
	}
	w.waiting = append(w.waiting, weak.Make(n))
}

// settle computes what cells can still ask for that was made of the elements as they are.
func (w *inFile) settle() error {
	for {
		asked := w.asked()
		if len(asked) == 0 {
			return nil
		}
		asked = nil
		offload.Collect() // what no variable has any more is not computed
		if asked = w.asked(); len(asked) == 0 {
			return nil
		}
		if _, err := eval(asked, false); err != nil {
			return err
		}
	}
}

func (w *inFile) asked() (out []*Array) {
	w.mu.Lock()
	nodes := make([]*node, 0, len(w.waiting))
	for _, p := range w.waiting {
		if n := p.Value(); n != nil && !n.done() {
			nodes = append(nodes, n)
		}
	}
	w.waiting = w.waiting[:0]
	for _, n := range nodes {
		w.waiting = append(w.waiting, weak.Make(n))
	}
	w.pruned = len(w.waiting)
	w.mu.Unlock()
	for _, n := range nodes {
		if n.handles.Load() > 0 {
			out = append(out, n.whole())
		}
	}
	return out
}

// write has put change the file, when nothing waits for what is there.
func (w *inFile) write(a *Array, put func(ctx context.Context, to *disk.Source) error) error {
	if err := w.settle(); err != nil {
		return err
	}
	ctx := runtime().CellContext()
	if err := lock(ctx); err != nil {
		return err
	}
	defer unlock()
	s, err := disk.Range(w.file, w.of.At, w.of.Bytes, w.of.Decode)
	if err != nil {
		return err
	}
	defer s.Release()
	defer w.file.Heed(ctx)()
	defer w.renew(a) // also of what was written in part
	return put(ctx, s)
}

// renew lets a's storage have another node: what has copies of the elements has them as they were.
func (w *inFile) renew(a *Array) {
	if n, err := w.node(); err == nil {
		a.replaced(func(*node) *node { return n })
	}
}

// set is [Array.Set] of an array in a file.
func (w *inFile) set(a *Array, v *Array, idx []any, picks bool) {
	if picks {
		if m, ok := idx[0].(*Array); ok && len(idx) == 1 && m.dtype.IsBool() && v.Size() == 1 && slices.Equal(m.layout.Shape, a.layout.Shape) {
			v, idx = Where(m, v.Reshape().AsType(a.dtype), a), nil
		} else {
			w.changeCopy(a, func(c *Array) { c.Set(v, idx...) })
			return
		}
	}
	l, err := a.layout.Index(idx...)
	check("set", err)
	from := v.view()
	stretched, err := from.layout.Assignable(l.Shape)
	check("set", err)
	from.layout = &stretched
	if l.Size() > 0 {
		check("set", w.assign(a, l, from))
	}
}

// changeCopy changes a by a function that is given a copy in memory.
func (w *inFile) changeCopy(a *Array, change func(c *Array)) {
	c := a.Copy()
	Eval(c) // or what is wrong is that it does not fit
	change(c)
	check("set", w.assign(a, *a.layout, c.view()))
}

// assign writes what from has, of l's shape, to where l says. What is larger than the budget goes by way of a file
// beside, as it may be made of the elements that it replaces; nothing is written unless all of it could be made.
func (w *inFile) assign(a *Array, l arrays.Layout, from view) error {
	size := a.dtype.Size()
	if from.node.kind == kindConst {
		one := from.node.scalar.AsType(a.dtype).Bytes()
		block := slices.Repeat(one, max(1<<20/size, 1))
		return w.write(a, func(ctx context.Context, to *disk.Source) error {
			return putElements(ctx, to, l, size, func(n int) ([]byte, error) { return block[:min(n, len(block))], nil })
		})
	}
	n := newNode(kindCast, a.dtype, contiguous(l.Shape), &ordinary, from)
	if int64(sizeBytes(n)) > runtime().HostBudget() {
		spill, err := newSpill(filepath.Dir(w.file.Path()), int64(sizeBytes(n)))
		if err != nil {
			return err
		}
		defer spill.close()
		if err := n.streamTo(spill.source); err == nil {
			return w.write(a, func(ctx context.Context, to *disk.Source) error {
				return putElements(ctx, to, l, size, spill.next)
			})
		} else if !errors.As(err, new(*offload.NotStreamed)) {
			return err
		}
		n = newNode(kindCast, a.dtype, contiguous(l.Shape), &ordinary, from)
	}
	e, _, err := evaluate([]*Array{n.whole()}, toLook, 0)
	if err != nil {
		return err
	}
	rest := e[0].Bytes()
	return w.write(a, func(ctx context.Context, to *disk.Source) error {
		return putElements(ctx, to, l, size, func(n int) (b []byte, err error) {
			b, rest = rest[:n], rest[n:]
			return b, nil
		})
	})
}

// putElements writes elements, one after the other in C order, to where l has them. next returns up to n bytes of them.
func putElements(ctx context.Context, to *disk.Source, l arrays.Layout, size int, next func(n int) ([]byte, error)) error {
	const most = 8 << 20 // by one command
	s := disk.NewScatter(ctx, to)
	err := arrays.Wiring{}.Runs(l, func(at, n int) error {
		for off, end := int64(at)*int64(size), int64(at+n)*int64(size); off < end; {
			b, err := next(int(min(end-off, most)))
			if err != nil {
				return err
			}
			if err := s.Put(b, off); err != nil {
				return err
			}
			off += int64(len(b))
		}
		return nil
	})
	if flushed := s.Flush(); err == nil {
		err = flushed
	}
	return err
}

// spill is a temporary file that is read from its beginning.
type spill struct {
	source *disk.Source
	at     int64 // what was read so far
	buffer []byte
}

func newSpill(dir string, bytes int64) (*spill, error) {
	s, err := disk.Temporary(dir, bytes)
	if err != nil {
		return nil, err
	}
	return &spill{source: s}, nil
}

// next returns what comes next, up to n bytes.
func (s *spill) next(n int) ([]byte, error) {
	if len(s.buffer) == 0 {
		s.buffer = make([]byte, min(1<<20, s.source.Bytes()-s.at))
		if err := s.source.ReadAt(s.buffer, s.at); err != nil {
			return nil, err
		}
		s.at += int64(len(s.buffer))
	}
	b := s.buffer[:min(n, len(s.buffer))]
	s.buffer = s.buffer[len(b):]
	return b, nil
}

func (s *spill) close() { s.source.Release() }

// changed are the files that a launch writes to.
type changed struct {
	files []*Array
}

// changes makes the files ready to which a launch with these arguments writes.
func changes(args []kernelArg) (c changed) {
	for _, a := range args {
		if a.Array == nil || !a.Writes {
			continue
		}
		if w := a.Array.inFile(); w != nil {
			check("launch", w.settle())
			c.files = append(c.files, a.Array)
		}
	}
	return c
}

// over lets the files be read as they are now.
func (c changed) over() {
	for _, a := range c.files {
		if w := a.inFile(); w != nil {
			w.renew(a)
		}
	}
}

// Flush has the disk keep what was written to a's file so far, by assignments and by kernels. It does nothing where a's
// elements lie in no file that is open for writing.
func (a *Array) Flush() error {
	a.assigned()
	s, err := a.source()
	if err != nil || s == nil || s.File() == nil {
		return err
	}
	return s.File().Flush(runtime().CellContext())
}

// StorageStats is what was read of an array's file and written to it.
type StorageStats = disk.Stats

// Storage says what was read of a's file and written to it since it was opened, by what, and which lines that single
// elements are in were found in memory. It is an error where a's elements lie in no file, or in one that is mapped into
// memory, in which the system counts nothing.
func (a *Array) Storage() (StorageStats, error) {
	a.assigned()
	s, err := a.source()
	if err != nil {
		return StorageStats{}, err
	}
	if s == nil || s.File() == nil {
		return StorageStats{}, &Error{Op: "storage", Shapes: [][]int{a.Shape()}, Msg: "the elements are in memory; np.Open and np.Create have them in files"}
	}
	return s.File().Stats(), nil
}
