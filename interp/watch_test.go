package interp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Stacks that an earlier cell left, and that are collected while this one runs, are not room for this one's.
func TestStacksThatAreGoneAreNoRoom(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := &watched{base: 1 << 40}
	if s.look(w); w.base > stackBytes()+1<<20 {
		t.Errorf("stacks may grow from %d MB on, and have %d MB", w.base>>20, stackBytes()>>20)
	}
}

// The timer of a cell serves the next ones, and rests when no cell has run for a while.
func TestOneTimerForManyCells(t *testing.T) {
	s, err := New(Options{})
	require.NoError(t, err)
	defer s.Close()
	set := func() bool {
		s.watcher.mu.Lock()
		defer s.watcher.mu.Unlock()
		return s.watcher.set
	}
	for range 3 {
		_, err = s.Run(t.Context(), 1, "1 + 1")
		require.NoError(t, err)
	}
	first := s.watcher.timer
	require.Eventually(t, func() bool { return !set() }, 10*time.Second, time.Millisecond)
	_, err = s.Run(t.Context(), 2, "var deep func(int) int; deep = func(n int) int { return deep(n+1) + 1 }\ndeep(0)")
	require.ErrorContains(t, err, "stack")
	require.Same(t, first, s.watcher.timer)
}
