package supervise

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Stacks that an earlier cell left, and that are collected while this one runs, are not room for this one's.
func TestStacksThatAreGoneAreNoRoom(t *testing.T) {
	s := New(Options{})
	w := &watched{base: 1 << 40}
	if s.look(w); w.base > stackBytes()+1<<20 {
		t.Errorf("stacks may grow from %d MB on, and have %d MB", w.base>>20, stackBytes()>>20)
	}
}

// The timer of a cell serves the next ones, and rests when no cell has run for a while.
func TestOneTimerForManyCells(t *testing.T) {
	s := New(Options{})
	set := func() bool {
		s.watcher.mu.Lock()
		defer s.watcher.mu.Unlock()
		return s.watcher.set
	}
	for range 3 {
		require.NoError(t, s.Call(t.Context(), func() {}))
	}
	first := s.watcher.timer
	require.Eventually(t, func() bool { return !set() }, 10*time.Second, time.Millisecond)
	require.NoError(t, s.Call(t.Context(), func() {
		for !set() {
			time.Sleep(time.Millisecond)
		}
	}))
	require.Same(t, first, s.watcher.timer)
}
