package offload

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Progress shows how many tasks of a run are done. It goes away with Done.
type Progress interface {
	Set(n int)
	Done()
}

// How long a wait must take until its progress is shown, how often that is brought up to date, and how long a kernel
// must run until it is said where it is: it may never end.
const (
	progressAfter = 2 * time.Second
	progressTick  = 100 * time.Millisecond
	slowAfter     = 5 * time.Second
)

// wait waits until s is idle, and shows how far the run has come where that takes long. What shows it runs on the
// goroutine that waits, which is the cell's.
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
		rec.bar = rt.Progress("computing on "+rt.name, max(rec.tasks, 1))
	}
	tick := time.NewTicker(progressTick)
	defer tick.Stop()
	done, since, told := 0, time.Now(), false
	for {
		select {
		case err := <-synced:
			if ctx.Err() != nil {
				rt.warnWhere(s, "interrupted: ")
			}
			return err
		case <-tick.C:
		}
		for done < len(rec.queued) && rec.queued[done].ev.Done() {
			done++
			since, told = time.Now(), false
		}
		if !told && time.Since(since) > slowAfter {
			told = true
			rt.warnWhere(s, fmt.Sprintf("it has run for %v: ", slowAfter))
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

// Watch calls run, which runs a kernel on no device, as for a check of it, and says where that is, as where knows
// ("" where it does not), when it has run for long and when it has been interrupted: ctx has ended.
func (rt *Runtime) Watch(ctx context.Context, where func() string, run func() error) error {
	ended := make(chan struct{})
	var looks sync.WaitGroup
	looks.Go(func() {
		select {
		case <-time.After(slowAfter):
			rt.warnAt(where, fmt.Sprintf("it has run for %v: ", slowAfter))
		case <-ended:
		}
	})
	defer func() {
		close(ended)
		looks.Wait()
		if ctx.Err() != nil {
			rt.warnAt(where, "interrupted: ")
		}
	}()
	return run()
}

// warnWhere says where the kernel is that s runs, if s knows.
func (rt *Runtime) warnWhere(s device.Stream, why string) {
	if w, ok := s.(device.Watched); ok {
		rt.warnAt(w.Where, why)
	}
}

func (rt *Runtime) warnAt(where func() string, why string) {
	if rt.Warn == nil {
		return
	}
	if at := where(); at != "" {
		rt.Warn(why + at)
	}
}
