package interp

import "testing"

// Stacks that an earlier cell left, and that are collected while this one runs, are not room for this one's.
func TestStacksThatAreGoneAreNoRoom(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := &watcher{s: s, base: 1 << 40, over: true}
	if w.look(); w.base > stackBytes()+1<<20 {
		t.Errorf("stacks may grow from %d MB on, and have %d MB", w.base>>20, stackBytes()>>20)
	}
}
