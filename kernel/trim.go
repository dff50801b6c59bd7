package kernel

import (
	"runtime/debug"
	"sync"
	"time"
)

// A process that only hands on messages allocates so little that the collector would not run for minutes after a large
// one, and would keep the memory for the next. When trimBytes have been let go and nothing large has passed for
// trimQuiet, the memory goes back to the system.
const (
	trimBytes = 32 << 20
	trimQuiet = time.Second
	trimLarge = 1 << 20 // less is not worth a look
)

// trimmer gives memory back.
type trimmer struct {
	mu    sync.Mutex
	gone  int64
	timer *time.Timer
}

// freed notes that n bytes are not needed any more, or soon will not be.
func (t *trimmer) freed(n int64) {
	if n < trimLarge {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gone += n; t.gone < trimBytes {
		return
	}
	if t.timer == nil {
		t.timer = time.AfterFunc(trimQuiet, t.trim)
	} else {
		t.timer.Reset(trimQuiet)
	}
}

func (t *trimmer) trim() {
	t.mu.Lock()
	t.gone = 0
	t.mu.Unlock()
	debug.FreeOSMemory()
}
