package offload

import "sync/atomic"

// Trigger says when operations run that nobody has asked for the results of: as soon as so many wait, or their results
// would have so many bytes together. 0 is no bound; where there is none they wait until something is shown or
// evaluated, or a very long chain of them waits.
//
// Results are the same bits. What runs together is placed together: policies see more, and copies overlap with kernels.
type Trigger struct {
	Tasks int
	Bytes int64
}

// Triggers.
var (
	OnDisplay = Trigger{}         // as at first
	Eager     = Trigger{Tasks: 1} // at the call
)

var trigger atomic.Pointer[Trigger]

// SetTrigger says when operations run that nobody has asked for: see [Trigger].
//
//	offload.SetTrigger(offload.Eager)
//	offload.SetTrigger(offload.Trigger{Tasks: 100, Bytes: 1 << 30}) // run ahead
func SetTrigger(t Trigger) {
	if t == OnDisplay {
		trigger.Store(nil)
		return
	}
	trigger.Store(&t)
}

// Triggered returns what SetTrigger has set; nil for OnDisplay.
func Triggered() *Trigger { return trigger.Load() }
