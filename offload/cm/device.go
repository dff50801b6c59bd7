package cm

import (
	"fmt"
	"time"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

func init() { device.Offer(Register) }

// Register adds the machines to a registry.
func Register(r *device.Registry) {
	for _, m := range Machines {
		r.Add(m.ID, func() (device.Device, error) { return Open(m), nil })
	}
}

// computer is a machine that the CPU plays. What runs on it has the CPU's times in traces; those of 1986 are prices of
// steps. Nothing is shared with the host: the machine's memory was its own.
type computer struct {
	machine Machine
	cpu     *host.Device
}

// Open returns m as a device, with the memory that all its processors had.
func Open(m Machine) device.Device { return &computer{m, host.OpenAs(m.ID, m.Bytes())} }

func (c *computer) ID() string { return c.machine.ID }

func (c *computer) Properties() device.Properties {
	p := c.cpu.Properties()
	p.Name = fmt.Sprintf("%v (%s computes, dp.Steps has the prices)", c.machine, p.Name)
	return p
}

func (c *computer) Alloc(bytes int) (device.Buffer, error) { return c.cpu.Alloc(bytes) }

func (c *computer) NewStream(priority int) (device.Stream, error) { return c.cpu.NewStream(priority) }

func (c *computer) Load(f *kir.Func) (device.Kernel, error) { return c.cpu.Load(f) }

func (c *computer) Close() error { return c.cpu.Close() }

// Zero returns the time from which the device's clock counts.
func (c *computer) Zero() time.Time { return c.cpu.Zero() }
