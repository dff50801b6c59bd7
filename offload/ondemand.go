package offload

import (
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// onDemand are the buffers of what a task's kernels bring in themselves, line by line, while they run.
type onDemand struct {
	at      map[*Value]uint64 // their addresses; nil where there are none
	buffers []device.Buffer
}

// free gives the buffers back after what is queued.
func (o *onDemand) free() {
	for _, b := range o.buffers {
		_ = b.Free()
	}
}

// brings reports whether t's kernels, or its function, bring in v themselves: always where they write to it, and
// otherwise where it has not been read as a whole.
func (t *Task) brings(v *Value) bool {
	writes, ok := t.OnDemand[v]
	return ok && v.source != nil && (writes || v.host == nil)
}

// pagerFor returns d, or the CPU where t's kernels bring in lines and those of d cannot.
func (rt *Runtime) pagerFor(d device.Device, t *Task) device.Device {
	if len(t.OnDemand) == 0 {
		return d
	}
	why := ""
	if p, pages := d.(device.Pager); pages {
		err := p.CannotPage()
		if err == nil {
			return d
		}
		why = ": " + err.Error()
	}
	h, err := rt.devices.Get("host")
	if err != nil {
		return d
	}
	if rt.Warn != nil {
		rt.Warn(t.Name + " runs on the CPU: kernels of " + d.ID() + " cannot read files" + why + ". To have it there, Load what it reads, or give it parts of that")
	}
	return h
}

// mapOnDemand makes the buffers for t on d.
func (rt *Runtime) mapOnDemand(d device.Device, t *Task) (o onDemand, err error) {
	pager, pages := d.(device.Pager)
	for v, write := range t.OnDemand {
		if !t.brings(v) || !pages {
			continue
		}
		c, err := v.source.Cache(rt.streamingRoom())
		if err != nil {
			o.free()
			return o, err
		}
		b, err := pager.MapLines(c, !write)
		if err != nil {
			o.free()
			return o, err
		}
		if o.at == nil {
			o.at = make(map[*Value]uint64)
		}
		o.at[v], o.buffers = b.Addr(), append(o.buffers, b)
	}
	return o, nil
}
