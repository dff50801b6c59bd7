package cudabackend

import (
	"errors"
	"fmt"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// opcode is what a request asks for.
type opcode uint8

const (
	opOpen opcode = iota
	opClose
	opAlloc
	opFree // without a reply
	opMemInfo
	opShare
	opStream
	opStreamClose
	opLoad
	opCopyIn
	opCopyOut
	opCopyPeer
	opLaunch
	opWait
	opLibrary
	opCall
	opSeen // the address by which kernels see what is at Offset of the shared memory
)

// request is what the session asks of the worker. Requests are served in their order; those that queue work are replied
// to when the work is over.
type request struct {
	Op     opcode
	ID     int // of the reply, and of the stream, kernel or event that is made
	Device int // ordinal
	Stream int

	Address, From  uint64 // of device memory
	Peer           int    // ordinal of the GPU of From
	Bytes          int
	Offset         int64  // in the shared memory; for a copy with Data nil
	Data           []byte // of a small copy, or parameters
	Priority       int
	Apart          bool // of a stream: its copies do not wait for what was asked for before
	Kernel, Shared int
	Grid, Block    kir.Dim3
	Name, PTX      string
	Event          int // to wait for
	Call           device.Call
}

// inlineBytes is up to which size a copy travels in the messages: more goes by way of the shared memory.
const inlineBytes = 16 << 10

// reply is what the worker answers. ID 0 says only that the worker lives.
type reply struct {
	ID          int
	Err         *failure
	Card        *card
	Address     uint64
	Free, Total int64
	Data        []byte
	Name        string // of a library
	Event       trace.Event
}

// card is what the session must know of a GPU.
type card struct {
	Properties device.Properties
	Capability int
	Pools      bool // memory comes from the driver's pool
}

// failure is an error on its way between processes: its text, and of what it wraps what somebody may ask for.
type failure struct {
	Text   string
	Driver *Error
	Memory *device.OutOfMemory
	Limit  *LaunchLimit
	Call   *LibraryError
	System *device.Singular
	Check  *failedCheck
	Lost   *Lost
}

func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	f := &failure{Text: err.Error()}
	errors.As(err, &f.Driver)
	errors.As(err, &f.Memory)
	errors.As(err, &f.Limit)
	errors.As(err, &f.Call)
	errors.As(err, &f.System)
	errors.As(err, &f.Check)
	errors.As(err, &f.Lost)
	return f
}

// err returns the error as it was; of a failed check of f, with its place in f.
func (e *failure) err(f *kir.Func) error {
	switch {
	case e == nil:
		return nil
	case e.Lost != nil:
		return e.Lost
	case e.Check != nil && f != nil:
		return e.Check.of(f)
	case e.Memory != nil:
		return e.Memory
	case e.Limit != nil:
		return &told{e.Text, e.Limit}
	case e.Call != nil:
		return &told{e.Text, e.Call}
	case e.System != nil:
		return &told{e.Text, e.System}
	case e.Driver != nil:
		return &told{e.Text, e.Driver}
	}
	return errors.New(e.Text)
}

// told is an error with the text that it had in the worker.
type told struct {
	text  string
	cause error
}

func (e *told) Error() string { return e.text }
func (e *told) Unwrap() error { return e.cause }

// failedCheck is the record that a check of a kernel has left.
type failedCheck struct {
	Kernel        string
	Site          int // the number of the check
	Figures       [2]int64
	Block, Thread kir.Dim3
}

func (c *failedCheck) Error() string {
	return fmt.Sprintf("kernel %s: check %d failed in thread %v of block %v", c.Kernel, c.Site, c.Thread, c.Block)
}

// of returns the trap that it is in f.
func (c *failedCheck) of(f *kir.Func) error {
	if t := f.FailedCheck(c.Site, c.Block, c.Thread, c.Figures[0], c.Figures[1]); t != nil {
		return t
	}
	return fmt.Errorf("kernel %s: check %d, which it does not have, failed", c.Kernel, c.Site)
}
