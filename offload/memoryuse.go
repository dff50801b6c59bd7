package offload

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/mempool"
)

// MemoryUse is what values and pools hold of the memory of devices.
type MemoryUse []DeviceMemory

// DeviceMemory is the use of one device's memory. Pool's figures are of the pool's whole life.
type DeviceMemory struct {
	Device string
	Pool   mempool.Stats
	Pinned mempool.PinnedStats // of the host's memory, for the device
	Held   []Held              // by what made it, the most bytes first
}

// Held is what is alive of what tasks of one name made in one cell: a value lives as long as a variable, or another
// value that is still to be computed, refers to it. Values that were copied to the device have the task that needed
// them.
type Held struct {
	Cell   int    // 0 when that is not known
	Task   string // "multiply+sin"
	Values int
	Bytes  int64
}

// MemoryUse returns who holds device memory, after a garbage collection: what no variable refers to any more is not in
// it.
func (rt *Runtime) MemoryUse() MemoryUse {
	Collect()
	rt.take()
	defer rt.release()
	rt.memory.collect()
	var out MemoryUse
	for d, p := range rt.memory.pools {
		dm := DeviceMemory{Device: d.ID(), Pool: p.Stats()}
		if pinned := rt.memory.pinned[d]; pinned != nil {
			dm.Pinned = pinned.Stats()
		}
		for r := range rt.memory.live {
			if r.dev != d {
				continue
			}
			i := slices.IndexFunc(dm.Held, func(h Held) bool { return h.Cell == r.cell && h.Task == r.maker })
			if i < 0 {
				i, dm.Held = len(dm.Held), append(dm.Held, Held{Cell: r.cell, Task: r.maker})
			}
			dm.Held[i].Values++
			dm.Held[i].Bytes += int64(r.block.Bytes())
		}
		slices.SortFunc(dm.Held, func(a, b Held) int {
			return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Task, b.Task))
		})
		out = append(out, dm)
	}
	slices.SortFunc(out, func(a, b DeviceMemory) int { return cmp.Compare(a.Device, b.Device) })
	return out
}

// String lists the devices, and under each who holds its memory.
func (m MemoryUse) String() string {
	if len(m) == 0 {
		return "No device has been used."
	}
	var b strings.Builder
	for _, d := range m {
		p := d.Pool
		fmt.Fprintf(&b, "%s: %s in use, %s set aside of %s; at most %s\n", d.Device, device.Bytes(p.InUse), device.Bytes(p.Reserved),
			device.Bytes(p.DeviceMemory), device.Bytes(p.Peak))
		if p.Limit > 0 {
			fmt.Fprintf(&b, "  a limit of %s is set\n", device.Bytes(p.Limit))
		}
		if n := d.Pinned.InUse + d.Pinned.Kept; n > 0 {
			fmt.Fprintf(&b, "  %s of the host's memory are pinned for it, of at most %s\n", device.Bytes(n), device.Bytes(d.Pinned.Limit))
		}
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, h := range d.Held {
			cell := ""
			if h.Cell > 0 {
				cell = fmt.Sprintf("cell %d", h.Cell)
			}
			fmt.Fprintf(w, "  %s\t%s\t%d ×\t%s\n", device.Bytes(h.Bytes), h.Task, h.Values, cell)
		}
		w.Flush()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// SetMemLimit bounds the bytes that values may take on each device but the host, as if it had no more memory; 0 takes
// the bound away. What needs more is computed in pieces, or moves older values to the host.
func (rt *Runtime) SetMemLimit(bytes int64) {
	rt.take()
	defer rt.release()
	rt.memory.limit = max(bytes, 0)
	for d, p := range rt.memory.pools {
		if _, shares := d.(device.Sharer); !shares {
			p.SetLimit(rt.memory.limit)
		}
	}
}

// Trim gives devices back what was set aside for values and is free now, as other programs of a card may need it, and
// returns how many bytes that were. Only whole blocks go back, which are tens of megabytes.
func (rt *Runtime) Trim() (bytes int64) {
	Collect()
	rt.take()
	defer rt.release()
	rt.memory.collect()
	for _, p := range rt.memory.pools {
		bytes += p.Trim()
	}
	return bytes
}

// Room returns the bytes that values may take on the current device.
func (rt *Runtime) Room() int64 {
	rt.take()
	defer rt.release()
	return rt.RoomHeld()
}

// RoomHeld is Room for who plans an evaluation, which holds the runtime.
func (rt *Runtime) RoomHeld() int64 { return rt.memory.pool(rt.current).Size() }
