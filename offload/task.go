package offload

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Task makes values from values: by kernels on the current device, or by a function on the CPU.
type Task struct {
	Name string // for traces and messages: "mul+sin+sum"
	In   []*Value
	Out  []*Value

	// From[i], where there is one, is what Out[i] begins as a copy of. When nothing else reads it, its memory is taken
	// over instead. There may be fewer than outputs.
	From []*Value

	// Begins[i], where it has elements, is the part of From[i] that Out[i] begins as a copy of: its memory is not taken
	// over then. There may be fewer than outputs.
	Begins []Stretch

	// Afresh is whether nothing of what outputs begin as copies of is needed, as later tasks change all that this one
	// does not. It is there all the same, for who makes such a task on the host, or in pieces.
	Afresh bool

	// OnDemand are those of In that are in files, and that the kernels bring in line by line as they touch them; and
	// whether they write to them, too. A function for the CPU reads them itself, and gets nil in their place.
	OnDemand map[*Value]bool

	// Within says of an input that the kernels read a part of alone which part that is; of the others they may read
	// all. Where several devices are in use, the part is what is copied.
	Within map[*Value]Stretch

	// Launches run one after the other. Scratch gives the sizes in bytes of device buffers that live as long as they
	// do. A task with Calls needs a function for the CPU too, for where they do not fit in a device's memory.
	Launches []Launch
	Scratch  []int

	// For, where it is not nil, is the device that Launches were made for: they run there, or on one of its kind.
	For device.Device

	// On, where it is not nil, is the devices that were in use when the task was asked for, of which one runs it, in
	// the place of those in use when it runs.
	On []device.Device

	// Choose, where it is not nil, says on which of the devices On the task runs, and why; has reports what a device
	// has a copy of when it comes to run, the host for nil. It is asked when tasks are placed, and On is that device
	// from then on.
	Choose func(on []device.Device, has func(v *Value, d device.Device) bool) (device.Device, Choice)
	Chosen *Choice // what it has said

	// Parts, where it is not nil, says how the task can be cut; Launches must be there all the same.
	Parts Divider

	// Temporary are those of Out that nobody asks for but later tasks of the same program: each is freed after the last
	// of them, and is then not made.
	Temporary []*Value

	Ops   []trace.Op   // what it does, for the trace; may be nil
	Calls []trace.Call // how its kernels were set up, for the trace; may be nil

	// Puts is whether CPU writes Out[0] to its sink itself, where it has one; it gets no bytes for it then.
	Puts bool

	// CPU, for a task without launches, computes the outputs from the inputs' bytes. out is zeroed, but for Out[0] of a
	// task with From, and of a Whole one, whose function writes every byte, where it may hold anything.
	CPU   func(out, in [][]byte) error
	Whole bool
}

// Stretch is elements of a value that lie side by side, from number Lo to Hi-1, of so many bytes each.
type Stretch struct{ Unit, Lo, Hi int }

// TaskError is the error of a run in which a device failed to do a task's work: a kernel that traps, for one.
type TaskError struct {
	Task   *Task
	Err    error
	Device string // on which it failed, where several are in use
	Tile   string // and in which part of the task, "tile 6 of 8", where it is divided among them
}

func (e *TaskError) Error() string {
	switch {
	case e.Device == "":
		return e.Err.Error()
	case e.Tile != "":
		return fmt.Sprintf("%v (in %s, on %s)", e.Err, e.Tile, e.Device)
	}
	return fmt.Sprintf("%v (on %s)", e.Err, e.Device)
}

// Unwrap returns the error of the device.
func (e *TaskError) Unwrap() error { return e.Err }

// reads returns the values that must exist before t runs.
func (t *Task) reads() []*Value {
	reads := slices.Clip(t.In)
	for _, v := range t.From {
		if v != nil {
			reads = append(reads, v)
		}
	}
	return reads
}

// host returns the CPU where t's launches were made for it, whatever device runs others; else nil.
func (t *Task) host() device.Device {
	if _, shares := t.For.(device.Sharer); shares && t.Launches != nil {
		return t.For
	}
	return nil
}

// from returns what output i begins as a copy of, or nil.
func (t *Task) from(i int) *Value {
	if i < len(t.From) {
		return t.From[i]
	}
	return nil
}

// part returns which part of what output i begins as a copy of that is, where it is not all of it.
func (t *Task) part(i int) (p Stretch, ok bool) {
	if i < len(t.Begins) {
		p = t.Begins[i]
	}
	return p, p.Hi > p.Lo
}

// Launch is one kernel launch of a Task, or a call of a routine that the device has a library for.
type Launch struct {
	Func        *kir.Func
	Hash        [32]byte // Func's, where it is known; zero where it is not
	Grid, Block kir.Dim3
	SharedBytes int   // dynamic shared memory
	Args        []Arg // one for each of Func.Params
	Strict      bool  // it fails where the device lacks what Func uses, see device.Limited

	// Call, where it is not nil, is what is called in place of a kernel; Args are then its A, B and Out. The device is
	// a device.Librarian that has the routine.
	Call *device.Call
}

// Arg is a kernel argument. Make it with Pointer, PointerAt, Scratch, Int, Bits or Raw.
type Arg struct {
	value   *Value
	scratch int    // number + 1
	bits    uint64 // of a scalar, or added to an address
	raw     []byte
}

// Pointer passes v's address on the device. v must be among the task's inputs and outputs.
func Pointer(v *Value) Arg { return Arg{value: v} }

// PointerAt passes the address of byte off of v.
func PointerAt(v *Value, off int) Arg { return Arg{value: v, bits: uint64(off)} }

// Scratch passes the address of the task's scratch buffer number i.
func Scratch(i int) Arg { return Arg{scratch: i + 1} }

// ScratchAt passes the address of byte off of the task's scratch buffer number i.
func ScratchAt(i, off int) Arg { return Arg{scratch: i + 1, bits: uint64(off)} }

// Plus is an address so many bytes behind a's.
func (a Arg) Plus(bytes int) Arg {
	a.bits += uint64(bytes)
	return a
}

// Int passes an integer.
func Int(x int) Arg { return Bits(uint64(x)) }

// Bits passes a scalar of any type by its bits.
func Bits(x uint64) Arg { return Arg{bits: x} }

// Raw passes a parameter that is a block of bytes, such as a struct.
func Raw(b []byte) Arg { return Arg{raw: b} }

// pack writes l's arguments into the packed parameter buffer of its kernel.
// at has the addresses of values that are there in pieces.
func pack(l Launch, d device.Device, scratch []*Value, at map[*Value]uint64) ([]byte, error) {
	f := l.Func
	if len(l.Args) != len(f.Params) {
		return nil, fmt.Errorf("kernel %s takes %d arguments, not %d", f.Name, len(f.Params), len(l.Args))
	}
	buf := make([]byte, f.ParamBytes())
	for i, p := range f.Params {
		if raw := l.Args[i].raw; raw != nil {
			if len(raw) != p.Bytes() {
				return nil, fmt.Errorf("kernel %s, argument %s: %d bytes for a parameter of %d", f.Name, p.Name, len(raw), p.Bytes())
			}
			copy(buf[p.Offset:], raw)
			continue
		}
		bits, ok := l.Args[i].on(d, scratch, at)
		if !ok {
			return nil, fmt.Errorf("kernel %s, argument %s: the value is neither input nor output of its task", f.Name, p.Name)
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], bits)
		copy(buf[p.Offset:p.Offset+p.Type.Bytes()], word[:])
	}
	return buf, nil
}

// on returns the bits of a: of a value, its address on d; false where it is not there.
func (a Arg) on(d device.Device, scratch []*Value, at map[*Value]uint64) (bits uint64, ok bool) {
	v := a.value
	if a.scratch > 0 {
		v = scratch[a.scratch-1]
	}
	if v == nil {
		return a.bits, true
	}
	if addr, ok := at[v]; ok {
		return a.bits + addr, true
	}
	r := v.copies.on.of(d)
	if r == nil {
		return 0, false
	}
	return a.bits + r.block.Addr(), true
}

// issue queues l on s, a stream of d.
func (rt *Runtime) issue(d device.Device, s device.Stream, l Launch, scratch []*Value, at map[*Value]uint64, rec *recorder) (device.Event, error) {
	rt.stats.Launches++
	if l.Call != nil {
		c, to := *l.Call, [3]uint64{}
		for i, a := range l.Args {
			to[i], _ = a.on(d, scratch, at)
		}
		c.A, c.B, c.Out = to[0], to[1], to[2]
		return s.(device.Caller).Call(c), nil
	}
	k, err := rt.load(d, l, rec)
	if err != nil {
		return nil, err
	}
	params, err := pack(l, d, scratch, at)
	if err != nil {
		return nil, err
	}
	return s.Launch(k, l.Grid, l.Block, l.SharedBytes, params), nil
}
