// Package syncstate reads the state of sync's types, so that a cell is told of a wrong use which Go would end the
// process for, and does not wait where it need not.
package syncstate

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// The state of sync's types, where this version of Go has it.
var (
	mutexState  = syncField(reflect.TypeFor[sync.Mutex](), reflect.TypeFor[int32](), "mu", "state")
	readerCount = syncField(reflect.TypeFor[sync.RWMutex](), reflect.TypeFor[atomic.Int32](), "readerCount")
	OnceMutex   = syncField(reflect.TypeFor[sync.Once](), reflect.TypeFor[sync.Mutex](), "m")
	GroupState  = syncField(reflect.TypeFor[sync.WaitGroup](), reflect.TypeFor[atomic.Uint64](), "state")
)

// NoField is the place of a field that is not there.
const NoField = ^uintptr(0)

// syncField is the place of a field in t.
func syncField(t, want reflect.Type, names ...string) (offset uintptr) {
	for _, name := range names {
		if t.Kind() != reflect.Struct {
			return NoField
		}
		f, ok := t.FieldByName(name)
		if !ok {
			return NoField
		}
		offset, t = offset+f.Offset, f.Type
	}
	if t != want {
		return NoField
	}
	return offset
}

const (
	lockedBit  = 1       // of a mutex's state
	MaxReaders = 1 << 30 // a writer subtracts it from the number of readers
)

// Unlocked reports whether m is known to be unlocked.
func Unlocked(m *sync.Mutex) bool {
	return m != nil && mutexState != NoField && atomic.LoadInt32((*int32)(unsafe.Add(unsafe.Pointer(m), mutexState)))&lockedBit == 0
}

// Readers is the number of readers, less MaxReaders where a writer has the lock or waits for it.
func Readers(m *sync.RWMutex) (n int32, known bool) {
	if m == nil || readerCount == NoField {
		return 0, false
	}
	return (*atomic.Int32)(unsafe.Add(unsafe.Pointer(m), readerCount)).Load(), true
}

// GroupCounter is how many goroutines a wait group waits for. GroupState must be known.
func GroupCounter(g *sync.WaitGroup) int32 {
	return int32((*atomic.Uint64)(unsafe.Add(unsafe.Pointer(g), GroupState)).Load() >> 32)
}

// MutexItself returns a mutex that v is itself, and its method that is called.
func MutexItself(v any, name string) (m any, method string) {
	switch v.(type) {
	case *sync.Mutex, *sync.RWMutex:
		return v, name
	}
	if reflect.TypeOf(v) == readLocker {
		return (*sync.RWMutex)(reflect.ValueOf(v).UnsafePointer()), "R" + name
	}
	return nil, ""
}

// readLocker is the type of what (*sync.RWMutex).RLocker returns, a pointer to the same memory.
var readLocker = reflect.TypeOf(new(sync.RWMutex).RLocker())
