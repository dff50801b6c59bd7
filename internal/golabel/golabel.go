// Package golabel reads and copies the labels that the profiler keeps for each goroutine. A goroutine inherits them
// from the one that starts it, in compiled code too: so they tell on whose behalf it runs, whatever stands on its
// stack. The pointer to the labels is what identifies them; two sets of the same text are two.
package golabel

import (
	"context"
	"reflect"
	"runtime/pprof"
	"unsafe"
)

// The Go runtime keeps these two for such uses (go.dev/issue/67401): the public API sets labels and cannot read them.

// Current returns the labels of the calling goroutine, nil when it has none.
//
//go:linkname Current runtime/pprof.runtime_getProfLabel
func Current() unsafe.Pointer

// Set gives the calling goroutine labels that Current or a function of this package has returned.
//
//go:linkname Set runtime/pprof.runtime_setProfLabel
func Set(labels unsafe.Pointer)

// New returns labels of keys and values, one after the other.
func New(keyValues ...string) unsafe.Pointer {
	before := Current()
	defer Set(before)
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(keyValues...)))
	return Current()
}

// labelMap is the type of the profiler, not exported, of what a pointer to labels points to.
var labelMap = reflect.ValueOf(pprof.WithLabels(context.Background(), pprof.Labels())).Elem().FieldByName("val").Elem().Type().Elem()

// copied returns labels of the same keys and values, which are others.
func copied(labels unsafe.Pointer) unsafe.Pointer {
	c := reflect.New(labelMap)
	if labels != nil {
		c.Elem().Set(reflect.NewAt(labelMap, labels).Elem())
	}
	return c.UnsafePointer()
}
