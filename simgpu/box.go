package simgpu

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// box is what the GPUs of one machine share: the host's clock, the order in which work is done, and the ways between
// them and the host.
type box struct {
	preset *Preset

	mu      sync.Mutex
	work    sync.Cond // queue or open changed
	queue   []*operation
	open    int // GPUs
	stopped chan struct{}
	clock   trace.Time // of the modelled host
	gpus    []*GPU     // before anything is queued

	// How much is taken of each way; only the goroutine that executes has them. By GPU: the PCIe links, NVSwitch ports.
	// By PCIe switch: its link to the host. The host's root, which all share. By sender and receiver: NVLink.
	up, down, send, receive []meter
	trunkUp, trunkDown      []meter
	rootUp, rootDown        meter
	link                    map[[2]int]*meter

	classes  kernelClasses
	together map[string][]*launched // the same goroutine's: what has been timed together on one of the GPUs
}

func newBox(p *Preset, gpus int) *box {
	b := &box{preset: p, open: gpus, stopped: make(chan struct{}), link: map[[2]int]*meter{}}
	b.work.L = &b.mu
	n := max(p.GPUs, gpus)
	b.up, b.down, b.send, b.receive = make([]meter, n), make([]meter, n), make([]meter, n), make([]meter, n)
	b.trunkUp, b.trunkDown = make([]meter, n), make([]meter, n)
	go b.execute()
	return b
}

// NewMachine returns all GPUs of the machine that p describes. They share the host's clock and its memory's links, and
// copy to each other (CopyPeer) at the rates of the preset's Links. It panics as New does.
func NewMachine(p Preset, options ...Option) []*GPU {
	first := configured(p, options)
	if err := cmp.Or(first.preset.Check(), first.policies.combines()); err != nil {
		panic(err)
	}
	n := max(1, first.preset.GPUs)
	b := newBox(&first.preset, n)
	gpus := make([]*GPU, n)
	for i := range gpus {
		gpus[i] = configured(p, options)
		gpus[i].number = i
		gpus[i].start(b)
	}
	return gpus
}

// Machines opens simulated GPUs by name, so that those of one machine are of one machine: "sim:v100x8#3" is number 3 of
// the eight whose number 0 is "sim:v100x8", and the two copy to each other. The zero Machines is ready; its methods may
// be called from several goroutines.
type Machines struct {
	mu   sync.Mutex
	gpus map[string][]device.Device // by name without a number
}

// Open returns the GPU of a name of Names or of Custom, with "#" and its number behind it where it is not the first of
// its machine. A GPU that was closed is not opened again: the names then stand for those of a new machine, as
// they do when [Custom] has given the name to one.
func (m *Machines) Open(name string) (device.Device, error) {
	machine, digits, numbered := strings.Cut(name, "#")
	number := 0
	if numbered {
		var err error
		if number, err = strconv.Atoi(digits); err != nil || number < 0 {
			return nil, fmt.Errorf("%q is not a GPU number", digits)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	gpus := m.gpus[machine]
	if gpus == nil || gpus[0].(*GPU).isClosed() || gpus[0].(*GPU).Replaced() {
		var err error
		if gpus, err = OpenAll(machine); err != nil {
			return nil, err
		}
		if m.gpus == nil {
			m.gpus = map[string][]device.Device{}
		}
		m.gpus[machine] = gpus
	}
	if number >= len(gpus) {
		if len(gpus) == 1 {
			return nil, fmt.Errorf("%s has one GPU, number 0", machine)
		}
		return nil, fmt.Errorf("%s has %d GPUs, numbers 0 to %d", machine, len(gpus), len(gpus)-1)
	}
	return gpus[number], nil
}

// OpenAll returns all GPUs of the machine of the given name: "sim:v100x8" has eight.
func OpenAll(name string) ([]device.Device, error) {
	p, options, err := machineOf(name)
	if err != nil {
		return nil, err
	}
	var out []device.Device
	for _, g := range NewMachine(p, options...) {
		out = append(out, g)
	}
	return out, nil
}

// PeerRate returns how many bytes a second GPU number from of the machine sends to number to, when nothing else uses
// the way, and whether that is by NVLink; 0 when there are no two such GPUs.
func (p *Preset) PeerRate(from, to int) (rate int64, nvlink bool) {
	if from == to || min(from, to) < 0 || max(from, to) >= p.GPUs {
		return 0, false
	}
	if p.Links != nil && p.Links[from][to] > 0 {
		return p.Links[from][to], true
	}
	return p.PCIePeerRate, false
}

// trunk returns the number of the PCIe switch that GPU number i hangs on.
func (p *Preset) trunk(i int) int { return i / max(1, p.SwitchGPUs) }

// toHost and fromHost return what a copy at rate bytes a second takes of the ways between GPU number i and the host.
func (b *box) toHost(i int, rate int64) []share {
	return b.hostShares(rate, &b.up[i], &b.trunkUp[b.preset.trunk(i)], &b.rootUp)
}

func (b *box) fromHost(i int, rate int64) []share {
	return b.hostShares(rate, &b.down[i], &b.trunkDown[b.preset.trunk(i)], &b.rootDown)
}

// hostShares returns what a copy takes of a GPU's PCIe link, of its switch's, and of the host's root.
func (b *box) hostShares(rate int64, link, trunk, root *meter) []share {
	p := b.preset
	part := muldiv(min(rate, p.PinnedRate), whole, p.PinnedRate)
	shares := []share{{link, part}, {trunk, part}}
	if p.RootRate > 0 {
		shares = append(shares, share{root, muldiv(rate, whole, p.RootRate)})
	}
	return shares
}

// between returns what a copy from GPU i to GPU j takes, and its rate.
func (b *box) between(i, j int) (shares []share, rate int64) {
	rate, nvlink := b.preset.PeerRate(i, j)
	switch {
	case !nvlink:
		part := muldiv(min(rate, b.preset.PinnedRate), whole, b.preset.PinnedRate)
		shares = []share{{&b.up[i], part}, {&b.down[j], part}}
		if a, z := b.preset.trunk(i), b.preset.trunk(j); a != z { // through the host's bridges
			shares = append(shares, share{&b.trunkUp[a], part}, share{&b.trunkDown[z], part})
		}
	case b.preset.PortRate > 0:
		part := muldiv(min(rate, b.preset.PortRate), whole, b.preset.PortRate)
		shares = []share{{&b.send[i], part}, {&b.receive[j], part}}
	default:
		m := b.link[[2]int{i, j}]
		if m == nil {
			m = new(meter)
			b.link[[2]int{i, j}] = m
		}
		shares = []share{{m, whole}}
	}
	return shares, rate
}

// enqueue puts op at the end of the queue, and reports whether g was open.
func (b *box) enqueue(g *GPU, op *operation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if g.closed {
		return false
	}
	op.gpu = g
	b.queue = append(b.queue, op)
	b.work.Signal()
	return true
}

// execute does what is queued until all GPUs are closed.
func (b *box) execute() {
	defer close(b.stopped)
	for {
		b.mu.Lock()
		for len(b.queue) == 0 && b.open > 0 {
			b.work.Wait()
		}
		if len(b.queue) == 0 {
			b.mu.Unlock()
			return
		}
		op := b.queue[0]
		b.queue[0] = nil
		b.queue = b.queue[1:]
		b.mu.Unlock()
		if op.run != nil {
			op.run()
			continue
		}
		op.execute()
	}
}

// settle times what is yet to be timed on all GPUs of the machine. It is called by the goroutine that executes.
func (b *box) settle() {
	for _, g := range b.gpus {
		g.settle()
	}
}

// settles has all launches timed that have been queued by now.
func (b *box) settles() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, &operation{run: b.settle})
	b.work.Signal()
}

// close closes g: what it has queued is given up, what runs is waited for.
func (b *box) close(g *GPU) {
	b.mu.Lock()
	if g.closed {
		b.mu.Unlock()
		return
	}
	g.closed = true
	var kept, given []*operation
	for _, op := range b.queue {
		if op.gpu == g {
			given = append(given, op)
		} else {
			kept = append(kept, op)
		}
	}
	running := make(chan struct{}) // closed when what runs now is over
	b.queue = append([]*operation{{gpu: g, run: func() {
		g.settle()
		close(running)
	}}}, kept...)
	b.open--
	last := b.open == 0
	b.work.Broadcast()
	b.mu.Unlock()
	for _, op := range given {
		op.abandon(fmt.Errorf("%s: %w", g.id, errClosed))
	}
	<-running
	if last {
		<-b.stopped
	}
}
