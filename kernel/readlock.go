package kernel

import (
	"os"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Bits of the state of internal/poll's fdMutex: how many readers wait for its read lock.
const (
	readersShift = 23
	readersMask  = 1<<20 - 1
)

// readLock finds the state of f's read lock, which package os does not show; nil where os.File is made otherwise than
// in the Go that this was written for.
func readLock(f *os.File) *uint64 {
	v := reflect.ValueOf(f).Elem()
	for _, name := range []string{"file", "pfd", "fdmu", "state"} {
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return nil
		}
		if v = v.FieldByName(name); !v.IsValid() {
			return nil
		}
	}
	if v.Kind() != reflect.Uint64 || !v.CanAddr() {
		return nil
	}
	return (*uint64)(unsafe.Pointer(v.UnsafeAddr()))
}

// readersWaiting is how many goroutines wait for a read lock that another one holds.
func readersWaiting(lock *uint64) int {
	return int(atomic.LoadUint64(lock) >> readersShift & readersMask)
}
