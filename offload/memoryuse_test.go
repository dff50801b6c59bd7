package offload

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// TestMemoryUse: what is held is told by cell and task; what nothing refers to is not.
func TestMemoryUse(t *testing.T) {
	rt := small(t, 1<<20)
	cell := 3
	rt.Cell = func() int { return cell }
	x := rt.HostValue(ints(1000, 1))
	kept, dropped := double(t, rt, x), double(t, rt, x)
	if _, err := rt.Run(Program{Tasks: []*Task{kept, dropped}}); err != nil {
		t.Fatal(err)
	}
	cell = 5
	more := double(t, rt, kept.Out[0])
	more.Name = "more"
	if _, err := rt.Run(Program{Tasks: []*Task{more}}); err != nil {
		t.Fatal(err)
	}
	dropped = nil
	use := rt.MemoryUse()
	for range 500 { // until a cleanup has told that the value is gone
		if len(use) == 1 && len(use[0].Held) == 2 && use[0].Held[0].Values == 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
		use = rt.MemoryUse()
	}
	if len(use) != 1 || len(use[0].Held) != 2 {
		t.Fatalf("%+v", use)
	}
	// x, which the first task needed, its result, and that of the second.
	if h := use[0].Held; h[0] != (Held{3, "double", 2, 16000}) || h[1] != (Held{5, "more", 1, 8000}) {
		t.Errorf("held %+v", h)
	}
	if s := use.String(); !strings.Contains(s, "cell 5") || !strings.Contains(s, "sim:tiny#0") {
		t.Errorf("the report:\n%s", s)
	}
	runtime.KeepAlive([]any{x, kept, more})
}

func TestMemLimit(t *testing.T) {
	rt := small(t, 1<<20)
	x := rt.HostValue(ints(1000, 1))
	rt.SetMemLimit(10_000)
	_, err := rt.Run(Program{Tasks: []*Task{double(t, rt, x)}})
	if !errors.Is(err, device.ErrOutOfMemory) || !strings.Contains(err.Error(), "limit of 10 kB") {
		t.Errorf("beyond the limit: %v", err)
	}
	rt.SetMemLimit(0)
	if _, err := rt.Run(Program{Tasks: []*Task{double(t, rt, x)}}); err != nil {
		t.Error(err)
	}
}

// TestTraceHasPoolLevels: what the pool gives out and has set aside, when each event was queued.
func TestTraceHasPoolLevels(t *testing.T) {
	rt := small(t, 1<<20)
	x := rt.HostValue(ints(1024, 1))
	log, err := rt.Run(Program{Tasks: []*Task{double(t, rt, x)}})
	require.NoError(t, err)
	var in, reserved []int64
	for _, e := range log.Events() {
		if e.Kind == trace.CopyIn || e.Kind == trace.Kernel {
			in, reserved = append(in, e.InUse), append(reserved, e.Reserved)
			if e.Memory != 1<<20 {
				t.Errorf("the device has %d bytes", e.Memory)
			}
		}
	}
	if len(in) != 2 || in[0] != 8192 || in[1] != 16384 || reserved[0] != 1<<19 {
		t.Errorf("in use %v, set aside %v", in, reserved)
	}
}
