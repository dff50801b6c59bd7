package offload

import (
	"context"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Renew lets go of all that was made on devices that have lost their memory since (see device.Forgetful), so that
// they are used anew, and reports whether there has ever been such a loss. Values that only such a device had are not
// Done any more.
func (rt *Runtime) Renew(ctx context.Context) (ever bool, err error) {
	if err := rt.acquire(ctx); err != nil {
		return false, err
	}
	defer rt.release()
	for d := range rt.streams {
		if n := lossesOf(d); n != rt.losses[d] {
			rt.forgetDevice(d)
			rt.notice(d)
		}
	}
	return rt.everLost, nil
}

// notice warns of why d has lost its memory, where nobody was told.
func (rt *Runtime) notice(d device.Device) {
	n, ok := d.(device.Noticer)
	if !ok {
		return
	}
	if why := n.Notice(); why != "" && rt.Warn != nil {
		rt.Warn(why)
	}
}

// lossesOf returns how often d has lost its memory.
func lossesOf(d device.Device) int {
	if f, ok := d.(device.Forgetful); ok {
		return f.Losses()
	}
	return 0
}

// forgetDevice drops what was made on d, without asking anything of it.
func (rt *Runtime) forgetDevice(d device.Device) {
	rt.everLost = true
	delete(rt.streams, d)
	delete(rt.kernels, d)
	delete(rt.memory.pools, d)
	rt.memory.losePinned(d)
	rt.memory.later = slices.DeleteFunc(rt.memory.later, func(r *resident) bool { return r.dev == d })
	for r := range rt.memory.live {
		if r.dev != d {
			continue
		}
		delete(rt.memory.live, r)
		if v := r.value.Value(); v != nil {
			v.copies.lose(r)
			if !v.Done() {
				v.lost = fmt.Sprintf("%s of %s, in the memory of %s", r.maker, device.Bytes(int64(v.size)), d.ID())
				if r.cell > 0 {
					v.lost = fmt.Sprintf("%s of %s, made in cell %d, in the memory of %s", r.maker, device.Bytes(int64(v.size)), r.cell, d.ID())
				}
			}
		}
	}
}

// Lost says what v was when the only device that had it lost its memory: "multiply+sin of 8 MB, made in cell 3, in
// the memory of cuda:0"; "" where that has not happened.
func (v *Value) Lost() string {
	if v.Done() {
		return ""
	}
	return v.lost
}

// OnForgetful reports whether v is on devices alone that may lose their memory.
func (v *Value) OnForgetful() bool {
	if v.stays() {
		return false
	}
	for r := range v.copies.each {
		if _, ok := r.dev.(device.Forgetful); ok {
			return true
		}
	}
	return false
}
