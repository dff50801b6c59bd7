package placement

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arrayrepl/arrayrepl/offload/partition"
)

// StreamChoice says how a launch comes by its stream.
type StreamChoice int

// The choices, by the names of GrCUDA's code where it has them.
const (
	// ParentOfDevice lets the policy choose among the devices of the parents whose streams no other child has, and
	// takes the stream of the first of them there; where there is no such parent, among all devices. EarliestFinish
	// and Exhaustive, which weigh what a launch waits for, choose as with DeviceFirst.
	ParentOfDevice StreamChoice = iota
	// FirstParent takes the first parent's stream, which other children may have too.
	FirstParent
	// Disjoint takes the stream of the first parent that no other child has, and so its device, whatever the policy.
	Disjoint
	// DeviceFirst lets the policy choose among all devices, and takes the stream of a parent there that no other
	// child has, if there is one.
	DeviceFirst
)

// Options are how a Planner works. The zero value but for Rates is GrCUDA's way with boxes for units.
type Options struct {
	Devices int
	Rates   Rates
	Policy  Policy
	Streams StreamChoice
	// Whole makes the whole array the unit of what is valid, as in GrCUDA's unified memory: what is not only read is
	// copied before, and is then valid on its device alone.
	Whole bool
	// Reuse gives a launch that takes no parent's stream one that has no work, where there is one; else it gets a new
	// one.
	Reuse bool
	// Timed has the planner estimate when what it plans would be over; see Planner.Seconds. Where the policy needs
	// that, it does so anyway.
	Timed bool
	// Watch, where it is not nil, is told of each choice.
	Watch func(c Candidates, chosen int)
	// Turn is where policies begin that take devices in turn; see Planner.Turn.
	Turn int
}

// Planner plans launches. It belongs to one goroutine.
type Planner struct {
	Options
	number  int
	chains  int
	streams []stream
	busy    []int   // by device, streams with work
	free    [][]int // by device, streams that may have none
	stats   Stats
	times   *times // nil where nothing is estimated

	vertices slab[Vertex]
	lists    slab[*Vertex]  // of parents
	room     partition.Room // of what is copied
	costs    Costs          // the Rates, where they know more; else nil

	// Memory for the next launch.
	accesses        []Access
	copies          []Copy
	planned         slab[Copy]
	found, unhanded []*Vertex
	ready           []float64 // by access, when what was there before would have been made
	stack           []*Vertex
	lasts           []*Vertex // by chain, of what was found
	searches        int
	among           []int
	choice          choice
}

type stream struct {
	device int
	under  int // launches that nothing has waited for
}

// Stats counts copies in bytes.
type Stats struct {
	Launches                                   int
	HostToDevice, DeviceToHost, DeviceToDevice int64
}

// Copy is a copy to be made before a launch, or before the host reads.
type Copy struct {
	Field    *Field
	Box      partition.Box
	From, To int
	Bytes    int64
}

// NewPlanner returns a planner. Its error says what is wrong with the options.
func NewPlanner(o Options) (*Planner, error) {
	switch {
	case o.Devices < 1 || o.Devices > MaxDevices:
		return nil, fmt.Errorf("a planner for %d devices: there can be 1 to %d", o.Devices, MaxDevices)
	case o.Policy == nil:
		return nil, errors.New("a planner without a policy")
	case o.Rates == nil:
		return nil, errors.New("a planner without the rates of the links between its devices")
	}
	p := &Planner{Options: o, busy: make([]int, o.Devices), free: make([][]int, o.Devices)}
	p.costs, _ = o.Rates.(Costs)
	if o.Streams == ParentOfDevice && amongAll(o.Policy) {
		p.Streams = DeviceFirst
	}
	p.choice.finish, p.choice.kept = p.estimate, make([]int, 0, o.Devices)
	if o.Timed || estimates(o.Policy) {
		p.times = newTimes(o.Devices)
	}
	return p, nil
}

// Turn is where the next planner begins that goes on with the turn of this one.
func (p *Planner) Turn() int { return p.Options.Turn }

// Stats returns the counts so far.
func (p *Planner) Stats() Stats { return p.stats }

// Submit plans a launch that does all of these, and returns where it stands in the graph and the copies that it
// needs. Its error tells of a policy that chose what is not there to be chosen; then nothing was planned.
func (p *Planner) Submit(name string, accesses ...Access) (*Vertex, []Copy, error) {
	return p.SubmitAmong(nil, name, accesses...)
}

// SubmitAmong is [Planner.Submit] of a launch that only some of the devices can run, all for nil.
func (p *Planner) SubmitAmong(able []int, name string, accesses ...Access) (*Vertex, []Copy, error) {
	p.accesses = append(p.accesses[:0], accesses...)
	accesses = p.accesses
	for i, a := range accesses {
		if a.Box == nil || p.Whole {
			accesses[i].Box = a.Field.all
		}
		if p.Whole && a.Mode == Write {
			accesses[i].Mode = ReadWrite
		}
	}
	v := p.vertices.one()
	v.Name, v.Number, v.Parents = name, p.number, p.parents(accesses)
	if err := p.place(v, able, accesses); err != nil {
		return nil, nil, err
	}
	p.chain(v)
	note(v, accesses)
	p.number++
	p.stats.Launches++
	if p.streams[v.Stream].under++; p.streams[v.Stream].under == 1 {
		p.busy[v.Device]++
	}
	begun := p.begun(v.Device, accesses)
	copies := p.move(v.Device, accesses)
	p.timed(v, accesses, begun)
	return v, copies, nil
}

// over notes that v is done.
func (p *Planner) over(v *Vertex) {
	if p.times != nil {
		p.times.host = max(p.times.host, v.ends)
	}
	if p.streams[v.Stream].under--; p.streams[v.Stream].under == 0 {
		p.busy[v.Device]--
		if p.Reuse {
			p.free[v.Device] = append(p.free[v.Device], v.Stream)
		}
	}
}

// newStream returns a stream of d without work: one that there is, where Reuse allows, or a new one.
func (p *Planner) newStream(d int) int {
	for free := p.free[d]; len(free) > 0; free = p.free[d] {
		s := free[len(free)-1]
		p.free[d] = free[:len(free)-1]
		if p.streams[s].under == 0 {
			return s
		}
	}
	p.streams = append(p.streams, stream{device: d})
	return len(p.streams) - 1
}

// place chooses v's device and stream.
func (p *Planner) place(v *Vertex, able []int, accesses []Access) error {
	fits := func(u *Vertex) bool { return able == nil || slices.Contains(able, u.Device) }
	free := p.unhanded[:0] // parents whose stream no child has
	for _, u := range v.Parents {
		if !u.handed && fits(u) {
			free = append(free, u)
		}
	}
	p.unhanded = free
	var from *Vertex
	switch {
	case p.Streams == FirstParent && len(v.Parents) > 0 && fits(v.Parents[0]):
		from = v.Parents[0]
	case p.Streams == Disjoint && len(free) > 0:
		from = free[0]
	default:
		among := p.among[:0]
		switch {
		case p.Streams == ParentOfDevice && len(free) > 0:
			for _, u := range free {
				among = append(among, u.Device)
			}
		case able != nil:
			among = append(among, able...)
		default:
			for d := range p.Devices {
				among = append(among, d)
			}
		}
		slices.Sort(among)
		p.among = slices.Compact(among)
		d, err := p.choose(v, accesses, p.among)
		if err != nil {
			return err
		}
		v.Device = d
		if p.Streams != FirstParent && p.Streams != Disjoint {
			if i := slices.IndexFunc(free, func(u *Vertex) bool { return u.Device == d }); i >= 0 {
				from = free[i]
			}
		}
	}
	if from != nil {
		from.handed = true
		v.Device, v.Stream = from.Device, from.Stream
		return nil
	}
	v.Stream = p.newStream(v.Device)
	return nil
}

// choice is what a policy is asked about.
type choice struct {
	parents   []*Vertex
	accesses  []Access
	arguments []argument
	kept      []int                            // memory for devices that a policy looks at
	finish    func(d int) (end, asked float64) // Planner.estimate
}

// choose asks the policy for one of the devices.
func (p *Planner) choose(v *Vertex, accesses []Access, among []int) (d int, err error) {
	x := &p.choice
	c := Candidates{Launch: v.Name, Devices: among, rates: p.Rates, busy: p.busy, all: p.Devices, finish: x.finish}
	c.turn = &p.Options.Turn
	if IsFunc(p.Policy) || p.Watch != nil { // who may keep what is given
		c.Devices = slices.Clone(among)
	} else {
		c.arguments, c.kept = x.arguments[:0], x.kept[:0]
	}
	key, most := 0, int64(-1)
	for i, a := range accesses {
		if n := a.Field.size(a.Box); a.Mode != Begin && n > most || i == 0 {
			key, most = i, n
		}
	}
	for i, a := range accesses {
		if a.Mode == Begin {
			continue
		}
		a.Field.within(a.Box, func(_ partition.Box, in Memories, elements int) bool {
			bytes := int64(elements) * int64(a.Field.bytes)
			c.arguments = append(c.arguments, argument{bytes, in, a.Mode != Write, i == key, p.ready[i]})
			return true
		})
	}
	x.parents, x.accesses, x.arguments = v.Parents, accesses, c.arguments
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("policy %s panics for launch %s: %v", p.Policy.Name(), v.Name, e)
		}
	}()
	d = p.Policy.Choose(c)
	if !slices.Contains(among, d) {
		return 0, fmt.Errorf("policy %s chose device %d for launch %s; it can choose one of %v", p.Policy.Name(), d, v.Name, among)
	}
	if p.Watch != nil {
		p.Watch(c, d)
	}
	return d, nil
}

// move plans the copies to where the accesses are made, and changes what is valid where.
func (p *Planner) move(to int, accesses []Access) []Copy {
	out := p.copies[:0]
	if p.times != nil {
		p.times.moves = p.times.moves[:0]
	}
	for i, a := range accesses {
		if a.Mode == Read || a.Mode == ReadWrite {
			before := len(out)
			out = p.bring(out, a.Field, a.Box, to)
			if p.times != nil {
				for _, c := range out[before:] {
					p.times.moves = append(p.times.moves, moved{c.From, c.Bytes, p.ready[i]})
				}
			}
		}
	}
	for _, a := range accesses {
		if a.Mode.writes() {
			a.Field.change(a.Box, to, true)
		}
	}
	p.copies = out
	return p.planned.of(out)
}

// begun is how many bytes a device copies within itself for what begins as a copy of what it has.
func (p *Planner) begun(d int, accesses []Access) (bytes int64) {
	for _, a := range accesses {
		if a.Mode != Begin {
			continue
		}
		a.Field.within(a.Box, func(_ partition.Box, in Memories, elements int) bool {
			if in.Has(d) {
				bytes += int64(elements) * int64(a.Field.bytes)
			}
			return true
		})
	}
	return bytes
}

// Source returns the memory that a copy to another comes from, of those that have what is copied: the device with the
// fastest way there, the lowest number of those that are equal; the host where no device has it, as the host's root is
// shared by all. Rates are asked for only where there is a choice.
func Source(r Rates, in Memories, to int) int {
	from, rate := CPU, -1.0
	for m := range in.All {
		switch {
		case m == CPU:
		case from == CPU:
			from = m
		default:
			if rate < 0 {
				rate = r.Rate(from, to)
			}
			if x := r.Rate(m, to); x > rate {
				from, rate = m, x
			}
		}
	}
	return from
}

// bring appends the copies of what of b is not in a memory, which has it afterwards.
func (p *Planner) bring(out []Copy, f *Field, b partition.Box, to int) []Copy {
	before := len(out)
	f.within(b, func(have partition.Box, in Memories, elements int) bool {
		if in.Has(to) {
			return true
		}
		c := Copy{f, p.room.Meet(have, b), Source(p.Rates, in, to), to, int64(elements) * int64(f.bytes)}
		switch {
		case c.From == CPU:
			p.stats.HostToDevice += c.Bytes
		case to == CPU:
			p.stats.DeviceToHost += c.Bytes
		default:
			p.stats.DeviceToDevice += c.Bytes
		}
		out = append(out, c)
		return true
	})
	if len(out) > before {
		f.change(b, to, false)
	}
	return out
}

// HostRead plans that the host reads a box of a field, nil for all of it: it waits for what wrote that, and has a
// copy afterwards.
func (p *Planner) HostRead(f *Field, b partition.Box) []Copy {
	return p.host(Access{f, b, Read})
}

// HostWrite plans that the host writes a box of a field, nil for all of it: it waits for what reads or wrote that,
// and alone has a valid copy afterwards.
func (p *Planner) HostWrite(f *Field, b partition.Box) {
	p.host(Access{f, b, Write})
}

func (p *Planner) host(a Access) []Copy {
	f := a.Field
	if a.Box == nil || p.Whole {
		a.Box = f.all
	}
	found := f.conflicts(p.found[:0], &f.writers, a.Box)
	if a.Mode != Read {
		found = f.conflicts(found, &f.readers, a.Box)
	}
	p.found = found
	for _, v := range found {
		p.finish(v)
	}
	if a.Mode != Read {
		f.change(a.Box, CPU, true)
		return nil
	}
	p.copies = p.bring(p.copies[:0], f, a.Box, CPU)
	p.hostReads(p.copies)
	return p.planned.of(p.copies)
}
