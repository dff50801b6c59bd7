package interp

import (
	"context"
	"math"
	"runtime"
	"testing"
)

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestMemoryKept(t *testing.T) {
	if !alone(t) {
		return
	}
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := func(src string, n int) {
		for range n {
			if _, err := s.Run(context.Background(), 1, src); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		src   string
		limit int64 // bytes kept for each cell
	}{
		{"1 + 1", 2 << 10},
		{"x := 1", 2 << 10},
		{"x := 1; y := `a`; x + len(y)", 2 << 10},
	} {
		run(c.src, 50)
		kept := int64(math.MaxInt64)
		for range 3 { // what goroutines of earlier tests hold for a while is not kept three times
			before := heap()
			run(c.src, 500)
			if kept = min(kept, (heap()-before)/500); kept <= c.limit {
				break
			}
		}
		t.Logf("%q keeps %d bytes", c.src, kept)
		if kept > c.limit {
			t.Errorf("%q keeps %d bytes a cell, want at most %d", c.src, kept, c.limit)
		}
	}
	before := heap()
	run("big := make([]byte, 80<<20)", 1)
	if grown := heap() - before; grown < 79<<20 {
		t.Errorf("80 MB are held by %d bytes", grown)
	}
	run("big = nil", 1)
	if left := heap() - before; left > 4<<20 {
		t.Errorf("after big = nil %d bytes are left", left)
	}
}
