package offload

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// machine returns the devices that a name stands for: all GPUs of a machine of several for its name alone, as
// "sim:v100x8"; one of them for a name with a number, as "sim:v100x8#3"; all of a family for "cuda:*".
func (rt *Runtime) machine(name string) ([]device.Device, error) {
	if family, all := strings.CutSuffix(name, "*"); all && family != "" {
		var out []device.Device
		for _, n := range rt.devices.Names() {
			if !strings.HasPrefix(n, family) {
				continue
			}
			d, err := rt.devices.Get(n)
			if err != nil {
				return nil, err
			}
			out = append(out, d)
		}
		if out == nil {
			return nil, fmt.Errorf("there is no device %s; there are %s", name, strings.Join(rt.devices.Names(), ", "))
		}
		return out, nil
	}
	first, err := rt.devices.Get(name)
	if err != nil {
		return nil, err
	}
	out := []device.Device{first}
	// Only what has a number can have others beside it. To ask for others of the host or of a card would look for all
	// devices, and open the driver.
	if strings.Contains(name, "#") || !strings.HasSuffix(first.ID(), "#0") {
		return out, nil
	}
	for i := 1; ; i++ {
		numbered := fmt.Sprintf("%s#%d", name, i)
		d, err := rt.devices.Get(numbered)
		if err != nil || d.ID() != numbered {
			return out, nil
		}
		out = append(out, d)
	}
}

// group returns the devices of the names together.
func (rt *Runtime) group(names []string) (out []device.Device, err error) {
	if len(names) == 0 {
		return nil, errors.New("name a device to use: there are " + strings.Join(rt.devices.Names(), ", "))
	}
	for _, name := range names {
		devices, err := rt.machine(name)
		if err != nil {
			return nil, err
		}
		for _, d := range devices {
			if slices.Contains(out, d) {
				return nil, fmt.Errorf("%s is named twice; name each device once", d.ID())
			}
			out = append(out, d)
		}
	}
	if len(out) == 1 {
		return out, nil
	}
	for _, d := range out {
		if _, shares := d.(device.Sharer); shares {
			return nil, fmt.Errorf("%s works in the host's memory and cannot be used together with GPUs: name GPUs alone, or %s alone", d.ID(), d.ID())
		}
	}
	return out, nil
}

// Use makes the named devices run all kernels from now on, each where the placement policy says: see SetPlacement.
// The name of a machine of several GPUs stands for all of them, one with a number for one, "cuda:*" for all cards.
// Values stay where they are and move when they are needed.
func (rt *Runtime) Use(names ...string) error {
	devices, err := rt.group(names)
	if err != nil {
		return err
	}
	if err := rt.acquire(rt.CellContext()); err != nil {
		return err
	}
	defer rt.release()
	rt.current, rt.using, rt.name = devices[0], devices, strings.Join(names, ", ")
	if len(devices) == 1 {
		rt.name = devices[0].ID()
	}
	rt.running, rt.among = devices, devices
	rt.inUse.Store(&devices)
	rt.inTurn = 0
	return nil
}

// Device returns the device that runs kernels now: of several, the first.
func (rt *Runtime) Device() device.Device {
	rt.take()
	defer rt.release()
	return rt.current
}

// Using returns the devices that run kernels now, and their name.
func (rt *Runtime) Using() (devices []device.Device, name string) {
	rt.take()
	defer rt.release()
	return slices.Clone(rt.using), rt.name
}

// InUse returns the devices that run kernels now. Unlike Using it waits for nobody; the slice is not the caller's.
func (rt *Runtime) InUse() []device.Device { return *rt.inUse.Load() }

// Named returns the devices that Use would make run kernels.
func (rt *Runtime) Named(names ...string) ([]device.Device, error) { return rt.group(names) }

// Devices returns the names that Use takes.
func (rt *Runtime) Devices() []string { return rt.devices.Names() }

// PlacesOf returns the IDs of the devices that have valid copies of v, and "host" where the host has one, sorted.
func (rt *Runtime) PlacesOf(v *Value) (names []string) {
	rt.take()
	defer rt.release()
	for r := range v.copies.each {
		names = append(names, r.dev.ID())
	}
	if v.stays() {
		names = append(names, "host")
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Assign returns where each task of p would run now. It changes nothing, but asks the policy.
func (rt *Runtime) Assign(p Program) ([]Assigned, error) {
	ctx := rt.CellContext()
	if err := rt.acquire(ctx); err != nil {
		return nil, err
	}
	defer rt.release()
	turn := rt.inTurn
	defer func() { rt.inTurn = turn }()
	defer rt.engage(p)()
	var on places
	var err error
	costs := make(map[int][]Cost, len(p.Tasks))
	golabel.During(func() {
		on, err = rt.assign(ctx, p, livenessOf(p), func(i int, c Candidates, _ int) { costs[i] = rt.costs(c) })
	})
	if err != nil {
		return nil, err
	}
	out := make([]Assigned, len(p.Tasks))
	for i, t := range p.Tasks {
		switch {
		case t.Launches == nil:
		case on.one != nil:
			out[i].Device = on.one
		default:
			if out[i] = on.several[i].assigned(); out[i].Tiles.Tiles == nil {
				out[i].Costs = costs[i]
			}
		}
	}
	return out, nil
}

// linked reports whether d gets copies from another device without the host.
func linked(d, from device.Device) bool {
	l, ok := d.(device.Linked)
	return ok && l.LinkedTo(from)
}
