package supervise

import (
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"
)

// timers are functions that cells call in the place of those that make timers, and of methods that say whether one goes
// on.
func (s *Supervisor) timers() map[string]any {
	return map[string]any{
		"time.AfterFunc":       s.afterFunc,
		"(*time.Timer).Stop":   s.stopTimer,
		"(*time.Timer).Reset":  s.resetTimer,
		"time.NewTicker":       s.newTicker,
		"time.Tick":            s.tick,
		"(*time.Ticker).Stop":  s.stopTicker,
		"(*time.Ticker).Reset": s.resetTicker,
	}
}

// pending is whether a timer or ticker goes on.
type pending struct{ atomic.Bool }

// afterFunc is time.AfterFunc. A timer that was ended does not call f any more, not even when it is set anew.
func (s *Supervisor) afterFunc(d time.Duration, f func()) *time.Timer {
	f = s.guarded(f)
	on := &pending{}
	on.Store(true)
	o := &opened{text: "timer that calls a function", resets: true, timer: on}
	t := time.AfterFunc(d, func() {
		on.Store(false)
		if !o.closed.Load() {
			f()
		}
	})
	keepOpen(s, t, o, func(*time.Timer) bool { return on.Load() }, func(t *time.Timer) {
		t.Stop()
		on.Store(false)
	})
	return t
}

// going marks what is kept of a timer or ticker as one that goes on, or does not.
func (s *Supervisor) going(t unsafe.Pointer, goes bool) {
	if o := s.opened.of(t); o != nil && o.timer != nil {
		o.timer.Store(goes)
	}
}

func (s *Supervisor) stopTimer(t *time.Timer) bool {
	s.going(unsafe.Pointer(t), false)
	return t.Stop()
}

func (s *Supervisor) resetTimer(t *time.Timer, d time.Duration) bool {
	s.going(unsafe.Pointer(t), true)
	return t.Reset(d)
}

func (s *Supervisor) newTicker(d time.Duration) *time.Ticker {
	t := time.NewTicker(d)
	on := &pending{}
	on.Store(true)
	o := &opened{text: fmt.Sprintf("ticker, every %v", d), resets: true, timer: on}
	keepOpen(s, t, o, func(*time.Ticker) bool { return on.Load() }, func(t *time.Ticker) {
		t.Stop()
		on.Store(false)
	})
	return t
}

func (s *Supervisor) tick(d time.Duration) <-chan time.Time {
	if d <= 0 {
		return nil
	}
	return s.newTicker(d).C
}

func (s *Supervisor) stopTicker(t *time.Ticker) {
	s.going(unsafe.Pointer(t), false)
	t.Stop()
}

func (s *Supervisor) resetTicker(t *time.Ticker, d time.Duration) {
	s.going(unsafe.Pointer(t), true)
	t.Reset(d)
}
