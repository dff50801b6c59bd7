package gpu

import (
	"errors"
	"fmt"
	"html"
	"reflect"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/check"
	"github.com/arrayrepl/arrayrepl/lazy"
)

// Check runs a kernel as [Launch] would, once, on the CPU and on copies of its arguments, and reports what is wrong
// with it even where the result happens to be right: races in shared and global memory, reads of shared memory that
// nobody has written, threads of a warp that hear of each other without gpu.SyncWarp, indices out of range, threads of
// a block that wait at different barriers or have ended without reaching one, and shuffles from lanes that have ended.
// It is slower than a launch, some 50 ns for each access to memory, and takes 60 bytes for each word of 4 bytes that
// the kernel touches: check a small launch.
//
// It panics with *Error when the kernel cannot be compiled or the arguments do not fit.
//
// For example:
//
//	gpu.Check(kernel, gpu.Blocks(1000, 256), 256, x)
func Check(kernel any, grid, block any, args ...any) *Findings {
	l, err := newLaunch(kernel, grid, block, args)
	if err != nil {
		panic(err)
	}
	c, err := l.call()
	if err == nil {
		err = l.noBuffers("gpu.Check")
	}
	if err != nil {
		panic(&Error{l.f.name(), err})
	}
	found, err := lazy.Wiring{}.Check(c, check.Options{})
	if err != nil {
		panic(err)
	}
	f := &Findings{kernel: l.f.name(), grid: l.grid, block: l.block, FloatSums: floatSums(c.Func)}
	if l.option.orders > 0 && l.f.f != nil {
		if f.Spread, err = spreads(l, c, l.option.orders); err != nil {
			panic(&Error{l.f.name(), err})
		}
	}
	for _, x := range found {
		f.List = append(f.List, finding(x))
	}
	if k := l.launching(); k != nil && len(found) == 0 {
		err = l.checkTree(func(c *kernelcall.Call[lazy.Array]) error {
			found, err := lazy.Wiring{}.Check(c, check.Options{})
			for _, x := range found {
				f.List = append(f.List, finding(x))
			}
			if len(found) > 0 && err == nil {
				err = errFound
			}
			return err
		})
		if err != nil && err != errFound {
			panic(&Error{l.f.name(), err})
		}
	}
	return f
}

// errFound ends a check of launches from kernels: what a kernel with errors launches means nothing.
var errFound = errors.New("something was found")

// copyOfArgument is an argument that a kernel may write to without anybody seeing it.
func copyOfArgument(a any) any {
	if x, ok := a.(*lazy.Array); ok && x != nil {
		return x.Copy()
	}
	if r := reflect.ValueOf(a); r.Kind() == reflect.Slice {
		c := reflect.MakeSlice(r.Type(), r.Len(), r.Len())
		reflect.Copy(c, r)
		return c.Interface()
	}
	return a
}

// Findings are what [Check] or [CheckStreams] has found.
type Findings struct {
	List        []Finding // empty when nothing is wrong
	FloatSums   []string  // where the kernel adds floats atomically: the order of the threads is that of the roundings
	Spread      []Spread  // of the results, with [Orders]
	kernel      string
	grid, block kir.Dim3
	streams     bool // of CheckStreams
}

// Finding is one thing that is wrong with a kernel.
type Finding struct {
	// "race", "missing warp sync", "uninitialized shared memory", "out of bounds", "divergent barrier", "missing lane",
	// "missed barrier", "no lane", "absent block", "unfinished copy"; of CheckStreams "missing event", "missing wait"
	Kind string
	What string // "two threads access s[31] in shared memory, and nothing orders them"
	// which threads, where in the source: "cell 3, line 8, column 11: thread (0) of block (0) reads s[t + h]"
	Accesses []string
	Remedy   string // what to do about it
	Count    int    // how often, at the same places
}

// finding says in Go's words what package check says in kir's.
func finding(f check.Finding) Finding {
	out := Finding{Kind: f.Kind.String(), Count: f.Count}
	place := f.Where
	if place == "" {
		place = fmt.Sprintf("address %#x", f.Addr)
	}
	place += fmt.Sprintf(" in %v memory", f.Space)
	switch f.Kind {
	case check.Race:
		out.What = "two threads access " + place + ", and nothing orders them"
		out.Accesses = []string{access(f.Access), access(f.With)}
		out.Remedy = "put gpu.Sync() between the two, where all threads of the block come"
		switch {
		case f.Access.Block != f.With.Block:
			out.Remedy = "blocks run in any order: let each write elements of its own, use gpu.AtomicAdd and its like, or a second launch"
		case f.Access.Value == f.With.Value && f.Access.Value.Op == kir.OpStore, oneStatement(f):
			out.Remedy = "let each thread write elements of its own, or use gpu.AtomicAdd and its like"
		}
	case check.MissingWarpSync:
		out.What = "two threads of one warp access " + place + ", and nothing orders them: lanes need not run in step"
		out.Accesses = []string{access(f.Access), access(f.With)}
		out.Remedy = "put gpu.SyncWarp() or gpu.Sync() between the two, or exchange the value by gpu.ShflDown and its like"
		if oneStatement(f) || f.Access.Value == f.With.Value {
			out.Remedy = "let each thread write elements of its own, or use gpu.AtomicAdd and its like"
		}
	case check.Uninitialized:
		out.What = "a thread reads " + place + ", which no thread of its block has written"
		out.Accesses = []string{access(f.Access)}
		out.Remedy = "shared memory holds anything at first: write it, then gpu.Sync(), then read it"
	case check.MissedBarrier:
		out.What = "a barrier that threads of the block have ended without reaching: " + f.Missed()
		out.Accesses = []string{access(f.Access)}
		out.Remedy = "let the threads that have nothing to do skip the work, not return: if i < len(x) { … }, then gpu.Sync() for all"
	case check.AbsentBlock:
		out.What = "a thread uses " + place + " of a block of the cluster that may not have begun, or has ended"
		out.Accesses = []string{access(f.Access)}
		out.Remedy = "put gpu.SyncCluster() before the first use of another block's memory, so that it has begun, and after the last, so that it is still there"
	case check.UnfinishedCopy:
		out.What = "a thread reads " + place + " while a copy to it may be on its way"
		out.Accesses = []string{access(f.Access), access(f.With)}
		out.Remedy = "after gpu.CopyAsync: gpu.CommitCopies(), gpu.WaitCopies(0), and gpu.Sync() where other threads read"
	case check.NoLane:
		out.What = fmt.Sprintf("a thread reads from lane %d of its warp, %s: the value may be any", f.Lane, f.NoThread())
		out.Accesses = []string{access(f.Access)}
		out.Remedy = "let all 32 threads of a warp come to the exchange, or read only from lanes that take part: gpu.ActiveMask says which"
	default: // the run has ended with it
		out.What = f.Err.Error()
		out.Remedy = map[check.Kind]string{
			check.OutOfBounds:      "a thread that has nothing to do must be kept from it: if i < len(x) { … }",
			check.DivergentBarrier: "put gpu.Sync() outside of the branch, where all threads of the block come",
			check.MissingLane:      "shuffles, votes and gpu.SyncWarp() wait for all lanes: put them outside of the branch",
		}[f.Kind]
		if f.Kind == check.OutOfBounds && f.Value.Op == kir.OpCheck && !strings.Contains(out.What, "out of range") {
			out.Kind, out.Remedy = "failed test", ""
		}
	}
	return out
}

// oneStatement reports whether both threads do the same statement, of which one reads what the other writes, as in
// x[0] += 1: nothing can stand between the two.
func oneStatement(f check.Finding) bool {
	a, b := f.Access.Value, f.With.Value
	return a.Pos.Line > 0 && a.Pos.File == b.Pos.File && a.Pos.Line == b.Pos.Line && a.Note != "" && a.Note == b.Note
}

// access is what one thread did, and where.
func access(a check.Access) string {
	what := a.Value.Note
	switch {
	case what != "":
	case a.Value.Op.IsMemory():
		what = "it"
	default:
		what = "here"
	}
	s := fmt.Sprintf("thread %s of block %s %s %s", index(a.Thread), index(a.Block), a.Verb(), what)
	if a.Value.Pos != (kir.Pos{}) {
		s = a.Value.Pos.String() + ": " + s
	}
	return s
}

// index formats a thread's or a block's index: zeros at the end are left out.
func index(d kir.Dim3) string {
	switch {
	case d.Z > 0:
		return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z)
	case d.Y > 0:
		return fmt.Sprintf("(%d,%d)", d.X, d.Y)
	}
	return fmt.Sprintf("(%d)", d.X)
}

func (f *Findings) title() string {
	s := fmt.Sprintf("%s, grid %v, block %v: ", f.kernel, f.grid, f.block)
	if f.streams {
		s = "streams: "
	}
	switch n := len(f.List); {
	case n == 0 && f.streams:
		return s + "no event is missing"
	case n == 0:
		return s + "nothing found (races, uninitialised shared memory, missing warp syncs, indices, barriers)"
	case n == 1:
		return s + "1 finding"
	default:
		return s + fmt.Sprintf("%d findings", n)
	}
}

func (f Finding) head() string {
	if f.Count > 1 {
		return fmt.Sprintf("%s, %d times", f.Kind, f.Count)
	}
	return f.Kind
}

// String lists what was found, a paragraph each.
func (f *Findings) String() string {
	var s strings.Builder
	s.WriteString(f.title())
	for i, x := range f.List {
		fmt.Fprintf(&s, "\n%d. %s: %s", i+1, x.head(), x.What)
		for _, a := range x.Accesses {
			s.WriteString("\n   " + a)
		}
		if x.Remedy != "" {
			s.WriteString("\n   → " + x.Remedy)
		}
	}
	for _, line := range f.ordersText() {
		s.WriteString("\n" + line)
	}
	return display.Wrapped(s.String())
}

// MIMEBundle is what a cell shows of the findings.
func (f *Findings) MIMEBundle() display.Bundle {
	b := display.Text(f.String())
	mark := "✓"
	if len(f.List) > 0 {
		mark = "✗"
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<div style="font-family:sans-serif;font-size:12px">%s %s`, mark, html.EscapeString(f.title()))
	if len(f.List) > 0 {
		s.WriteString(`<ol style="margin:4px 0">`)
		for _, x := range f.List {
			fmt.Fprintf(&s, "<li><b>%s</b>: %s", html.EscapeString(x.head()), html.EscapeString(x.What))
			if len(x.Accesses) > 0 {
				s.WriteString(`<ul style="margin:2px 0">`)
				for _, a := range x.Accesses {
					s.WriteString("<li><code>" + html.EscapeString(a) + "</code></li>")
				}
				s.WriteString("</ul>")
			}
			if x.Remedy != "" {
				s.WriteString("<div>→ " + html.EscapeString(x.Remedy) + "</div>")
			}
			s.WriteString("</li>")
		}
		s.WriteString("</ol>")
	}
	for _, line := range f.ordersText() {
		s.WriteString("<div>" + html.EscapeString(line) + "</div>")
	}
	b.Data[display.TypeHTML] = s.String() + "</div>"
	return b
}
