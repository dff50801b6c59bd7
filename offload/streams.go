package offload

import (
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// lane is a stream for kernels.
type lane struct {
	stream device.Stream
	run    int64        // in which something was queued on it last
	order  int          // by which lanes of a run are told apart: the one with the least was used longest ago
	last   device.Event // the kernel that was queued on it last
}

// another adds a stream for kernels.
func (l *lanes) another(d device.Device) error {
	s, err := d.NewStream(0)
	if err != nil {
		return err
	}
	if b, ok := s.(device.Beside); ok { // copies to it are in turns with kernels of the others
		b.CopyBeside()
	}
	l.kernels = append(l.kernels, lane{stream: s})
	return nil
}

// of returns the lane of s, nil where s is not for kernels.
func (l *lanes) of(s device.Stream) *lane {
	for i := range l.kernels {
		if l.kernels[i].stream == s {
			return &l.kernels[i]
		}
	}
	return nil
}

// queued notes the last kernel on s.
func (l *lanes) queued(s device.Stream, ev device.Event, run int64) {
	newest := 0
	for _, k := range l.kernels {
		newest = max(newest, k.order)
	}
	k := l.of(s)
	k.run, k.order, k.last = run, newest+1, ev
}

// streamFor returns the stream of d on which t runs: as GrCUDA has it, that of the first task that made what t reads
// and that nothing else has followed there, since t need not wait for it; otherwise one that the run has not used yet,
// or, when there are no more, the one used longest ago. So a chain of tasks stays on one stream, and independent ones
// are side by side. The choice does not look at what is done already: the times of a model follow from it.
func (rt *Runtime) streamFor(d device.Device, t *Task) (device.Stream, error) {
	first, err := rt.stream(d)
	if err != nil {
		return nil, err
	}
	most := 1
	if c, ok := d.(device.Concurrent); ok {
		most = c.Streams()
	}
	if most == 1 {
		return first, nil
	}
	l := rt.streams[d]
	for _, v := range t.reads() {
		r := v.copies.on.of(d)
		if r == nil || r.made.event == nil {
			continue
		}
		if k := l.of(r.made.stream); k != nil && k.run == rt.memory.run && k.last == r.made.event {
			return k.stream, nil
		}
	}
	old := 0
	for i, k := range l.kernels {
		if k.run != rt.memory.run {
			return k.stream, nil
		}
		if k.order < l.kernels[old].order {
			old = i
		}
	}
	if len(l.kernels) < most {
		if err := l.another(d); err != nil {
			return nil, err
		}
		old = len(l.kernels) - 1
	}
	return l.kernels[old].stream, nil
}
