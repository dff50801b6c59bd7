package offload

import (
	"context"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Progress shows how many tasks of a run are done. It goes away with Done.
type Progress interface {
	Set(n int)
	Done()
}

// How long a wait must take until its progress is shown, and how often that is brought up to date.
const (
	progressAfter = 2 * time.Second
	progressTick  = 100 * time.Millisecond
)

// wait waits until s is idle, and shows how far the run has come where that takes long. What shows it runs on the goroutine
// that waits, which is the cell's.
func (rt *Runtime) wait(ctx context.Context, s device.Stream, rec *recorder) error {
	defer rec.waiting()()
	if rt.Progress == nil || len(rec.queued) == 0 {
		return s.Sync(ctx)
	}
	soon, cancel := context.WithTimeout(ctx, progressAfter)
	rec.queued[len(rec.queued)-1].ev.Wait(soon) // its error comes again
	late := soon.Err() != nil && ctx.Err() == nil
	cancel()
	if !late {
		return s.Sync(ctx)
	}
	synced := make(chan error, 1)
	go func() { synced <- s.Sync(ctx) }()
	if rec.bar == nil {
		rec.bar = rt.Progress("computing on "+rt.current.ID(), max(rec.tasks, 1))
	}
	tick := time.NewTicker(progressTick)
	defer tick.Stop()
	done := 0
	for {
		select {
		case err := <-synced:
			return err
		case <-tick.C:
		}
		for done < len(rec.queued) && rec.queued[done].ev.Done() {
			done++
		}
		task := rec.task // at which the run is: those before it are done, but for what is queued
		if done < len(rec.queued) {
			task = rec.queued[done].task
		}
		if task > 0 {
			rec.bar.Set(task - 1)
		}
	}
}
