package display

import (
	"errors"
	"iter"
)

// Track returns seq with a bar that shows how far a loop over it is, how many values a second it takes, and, where
// total says how many there are, how long it goes on:
//
//	for line := range display.Track(scanner.Lines(), 10_000) { … }
//
// A loop that is left early leaves the bar as it is then.
func Track[V any](seq iter.Seq[V], total ...int) iter.Seq[V] {
	if seq == nil {
		panic(errors.New("display.Track wants an iter.Seq, not nil"))
	}
	return func(yield func(V) bool) {
		p := NewTracker("", append(total, -1)[0])
		defer p.Done()
		for v := range seq {
			if !yield(v) {
				return
			}
			p.Add(1)
		}
	}
}

// TrackSlice is [Track] over the elements of a slice.
func TrackSlice[V any](s []V) iter.Seq[V] {
	return func(yield func(V) bool) {
		p := NewTracker("", len(s))
		defer p.Done()
		for _, v := range s {
			if !yield(v) {
				return
			}
			p.Add(1)
		}
	}
}
