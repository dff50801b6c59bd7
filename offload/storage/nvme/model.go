package nvme

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/arrayrepl/arrayrepl/offload/storage"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// ps is a time of the model, in picoseconds.
type ps int64

const second ps = 1e12

func period(rate float64) ps { return ps(float64(second)/rate + 0.5) }

// Model says how long commands would take. So many are under way at once: the next begins when one of them has ended.
// A command waits for a place in its queue and for the queue's doorbell, for its pair's turn, for its SSD, which begins
// one command after the other and ends each a latency later, and for the link. It has no randomness: the same commands
// take the same time. Its methods may be called from several goroutines.
type Model struct {
	config Config

	mu       sync.Mutex
	events   events
	number   int // of events so far
	idle     int // threads that have no command
	now      ps  // when the last event was
	pairs    [][]pairTime
	turn     []int         // pair that comes next, by SSD
	given    int           // commands so far: by them threads are on SMs
	on       int           // 1 more than the SM that the next commands come from; 0 where nobody has said
	robin    atomic.Uint64 // SSD that Command reads from next
	ssds     []ps          // when each may begin a command
	link     ps            // when it is free
	commands []command
	spare    []int32

	asked, covered []int32 // completed commands that wait for a second read: the next, and the one that is under way
	reading        bool    // one is

	// Of the second reads that Command makes: when the last begins, and when it ends.
	secondBegins, secondEnds ps

	latest                          ps // of all events
	reads, writes, extra, doorbells int64
	bytesRead, bytesWritten         int64
	waits                           [4]ps // of all commands together, by stage
}

// pairTime is a pair of queues.
type pairTime struct {
	lock  ps   // when the doorbell's lock is free
	batch ps   // when those are swept that came while it was held
	next  ps   // when the pair may give the SSD another command
	done  []ps // of the commands that took the places, in turn
	count int
}

type command struct {
	op        Op
	ssd, pair int32
	bytes     int32
	second    bool // it only makes sure that others are there
	alone     bool // no thread of the model's waits for it
	parts     *int // of a write to all SSDs: how many are not done
	began, at ps
}

// The stages that a command comes to, in their order.
const (
	toSSD = iota
	toLink
	ended
)

type event struct {
	at      ps
	number  int // of events at one time the first comes first
	stage   int
	command int32
}

type events []event

func (x event) before(y event) bool { return x.at < y.at || x.at == y.at && x.number < y.number }

// push and pop keep a heap; package container/heap would make a value of each event.
func (e *events) push(x event) {
	h := append(*e, x)
	i := len(h) - 1
	for ; i > 0 && x.before(h[(i-1)/2]); i = (i - 1) / 2 {
		h[i] = h[(i-1)/2]
	}
	h[i] = x
	*e = h
}

func (e *events) pop() event {
	h := *e
	first, x := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*e = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for {
		k := 2*i + 1
		if k >= len(h) {
			break
		}
		if k+1 < len(h) && h[k+1].before(h[k]) {
			k++
		}
		if !h[k].before(x) {
			break
		}
		h[i] = h[k]
		i = k
	}
	h[i] = x
	return first
}

// NewModel returns the model of a machine on which nothing has happened.
func NewModel(c Config) (*Model, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	m := &Model{config: c, idle: c.InFlight, turn: make([]int, c.SSDs), ssds: make([]ps, c.SSDs), pairs: make([][]pairTime, c.SSDs)}
	for i := range m.pairs {
		m.pairs[i] = make([]pairTime, c.Pairs)
	}
	return m, nil
}

// ssdOf is the SSD that has what is at a byte, or reads it.
func (c Config) ssdOf(off int64, turn interface{ Add(uint64) uint64 }) int {
	if c.SSDs == 1 {
		return 0
	}
	if c.Striped {
		return int(off / int64(c.Line) % int64(c.SSDs))
	}
	return int((turn.Add(1) - 1) % uint64(c.SSDs))
}

// Submit has a thread give a command of so many bytes to an SSD, as soon as one has nothing under way. A write goes to
// all SSDs where each has all.
func (m *Model) Submit(op Op, ssd, bytes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.idle == 0 {
		m.step()
	}
	m.idle--
	if op != Write {
		m.reads++
		m.bytesRead += int64(bytes)
		m.issue(command{op: op, ssd: int32(ssd), bytes: int32(bytes)}, m.now)
		return
	}
	m.bytesWritten += int64(bytes)
	if m.config.Striped || m.config.SSDs == 1 {
		m.writes++
		m.issue(command{op: op, ssd: int32(ssd), bytes: int32(bytes)}, m.now)
		return
	}
	left := m.config.SSDs
	for i := range m.config.SSDs {
		m.writes++
		m.issue(command{op: op, ssd: int32(i), bytes: int32(bytes), parts: &left}, m.now)
	}
}

// On says that the commands from now on come from threads on the SM of that number; until then the model takes threads
// for those of the paper's card, one after the other.
func (m *Model) On(sm int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.on = sm + 1
}

// Command gives a command about bytes of a file to the SSD that has them, or to all for a write where each has all, at
// a time: commands come in the order of the calls, and take what is free then of queues, SSDs and link. It returns when
// the SSD knows of it and when it is done. A model is told either by Command or by Submit.
func (m *Model) Command(at trace.Time, write bool, off int64, bytes int) (taken, done trace.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	first, last := 0, 0
	op := Read
	switch {
	case write && !m.config.Striped:
		op, last = Write, m.config.SSDs-1
	case write:
		op = Write
		fallthrough
	default:
		first = m.config.ssdOf(off, &m.robin)
		last = first
	}
	for ssd := first; ssd <= last; ssd++ {
		t := m.issue(command{op: op, ssd: int32(ssd), bytes: int32(bytes), alone: true}, ps(at))
		for len(m.events) > 0 {
			m.step()
		}
		taken, done = max(taken, trace.Time(t)), max(done, trace.Time(m.now))
	}
	if write {
		m.writes, m.bytesWritten = m.writes+int64(last-first+1), m.bytesWritten+int64(bytes)
		return taken, done
	}
	m.reads, m.bytesRead = m.reads+1, m.bytesRead+int64(bytes)
	m.now = ps(at)
	return taken, trace.Time(m.sure(int32(first), ps(done)))
}

// sure is when a second read has made sure of what came from an SSD at a time. What it takes of queues, SSD and link
// is taken right behind the command: later commands that come earlier would find those taken otherwise.
func (m *Model) sure(ssd int32, at ps) ps {
	switch {
	case m.config.Second == None:
		return at
	case m.config.Second == Coalesced && m.extra > 0 && at <= m.secondBegins: // that one begins later
		m.waits[3] += m.secondEnds - at
		return m.secondEnds
	case m.config.Second == Coalesced:
		m.secondBegins = max(at, m.secondEnds)
	default:
		m.secondBegins = at
	}
	m.extra++
	m.issue(command{op: Read, ssd: ssd, bytes: BlockBytes, second: true, alone: true}, m.now)
	for len(m.events) > 0 {
		m.step()
	}
	s := m.config.SSD
	alone := period(s.Peak(Read, BlockBytes)) + ps(s.Latency)*1000 + m.onLink(BlockBytes)
	m.secondEnds = max(m.now, m.secondBegins+alone)
	m.waits[3] += m.secondEnds - at
	return m.secondEnds
}

// onLink is how long a command of so many bytes takes of the link.
func (m *Model) onLink(bytes int32) ps {
	return ps(float64(bytes+commandOnLink) / m.config.Link * float64(second))
}

// Modelled is Report.
func (m *Model) Modelled() storage.Modelled { return m.Report() }

// issue puts a command into a queue of its SSD, which knows of it at the time that is returned.
func (m *Model) issue(c command, at ps) ps {
	c.began = at
	c.pair = int32(m.pair(int(c.ssd)))
	q := &m.pairs[c.ssd][c.pair]
	places := m.config.Depth - 1
	arrive := at
	if len(q.done) == places {
		arrive = max(arrive, q.done[q.count%places])
	}
	told := arrive // when the SSD knows of it: a doorbell is a write that nobody waits for, but it holds the lock
	switch {
	case arrive >= q.lock:
		m.doorbells++
		q.lock = arrive + ps(m.config.Doorbell+m.config.Sweep)*1000
	default:
		if q.batch < arrive { // what comes while the lock is held is swept together
			m.doorbells++
			q.batch = q.lock
			q.lock += ps(m.config.Doorbell) * 1000
		}
		q.lock += ps(m.config.Sweep) * 1000
		told = q.batch
	}
	start := max(told, q.next)
	q.next = start + period(m.config.PairRate)
	m.waits[0] += start - at
	if len(q.done) < places {
		q.done = append(q.done, 0)
	}
	m.later(start, toSSD, m.keep(c))
	return start
}

// Threads of the paper's card: blocks of so many go to its SMs one after the other (P: an A100 has 108 of them).
const (
	threadsOfBlock = 256
	sms            = 108
)

// pair is which pair of an SSD's queues the next command goes to.
func (m *Model) pair(ssd int) int {
	m.given++
	if m.config.Choice == BySM && m.on > 0 {
		return (m.on - 1) % m.config.Pairs
	} else if m.config.Choice == BySM {
		return (m.given - 1) / threadsOfBlock % sms % m.config.Pairs
	}
	p := m.turn[ssd]
	m.turn[ssd] = (p + 1) % m.config.Pairs
	return p
}

func (m *Model) keep(c command) int32 {
	if n := len(m.spare); n > 0 {
		k := m.spare[n-1]
		m.spare = m.spare[:n-1]
		m.commands[k] = c
		return k
	}
	m.commands = append(m.commands, c)
	return int32(len(m.commands) - 1)
}

func (m *Model) later(at ps, stage int, c int32) {
	m.number++
	m.commands[c].at = at
	m.events.push(event{at, m.number, stage, c})
}

// step lets the next thing happen.
func (m *Model) step() {
	e := m.events.pop()
	m.now = e.at
	m.latest = max(m.latest, e.at)
	c := &m.commands[e.command]
	switch e.stage {
	case toSSD:
		start := max(e.at, m.ssds[c.ssd])
		m.ssds[c.ssd] = start + period(m.config.SSD.Peak(c.op, int(c.bytes)))
		m.waits[1] += start - e.at
		m.later(m.ssds[c.ssd]+ps(m.config.SSD.Latency)*1000, toLink, e.command)
	case toLink:
		start := max(e.at, m.link)
		m.link = start + m.onLink(c.bytes)
		m.waits[2] += start - e.at
		m.later(m.link, ended, e.command)
	default:
		m.end(e.command, e.at)
	}
}

// end ends a command: its thread goes on, unless it has to make sure of what it read.
func (m *Model) end(k int32, at ps) {
	c := m.commands[k]
	q := &m.pairs[c.ssd][c.pair]
	q.done[q.count%len(q.done)] = at
	q.count++
	switch {
	case c.alone:
	case c.second && m.config.Second == Coalesced:
		m.idle += len(m.covered)
		for _, w := range m.covered {
			m.waits[3] += at - m.commands[w].at
		}
		m.spare = append(m.spare, m.covered...)
		m.covered, m.reading = m.covered[:0], false
		if len(m.asked) > 0 {
			m.secondRead(c, at)
		}
	case c.op == Read && !c.second && m.config.Second == Naive:
		m.extra++
		m.issue(command{op: Read, ssd: c.ssd, bytes: BlockBytes, second: true}, at)
	case c.op == Read && !c.second && m.config.Second == Coalesced:
		m.commands[k].at = at
		if m.asked = append(m.asked, k); !m.reading {
			m.secondRead(c, at)
		}
		return // others go on when the read has ended
	case c.parts != nil:
		if *c.parts--; *c.parts == 0 {
			m.idle++
		}
	default:
		m.idle++
	}
	m.spare = append(m.spare, k)
}

// secondRead reads a block for all that ask for it by now.
func (m *Model) secondRead(c command, at ps) {
	m.extra++
	m.reading, m.asked, m.covered = true, m.covered[:0], m.asked
	m.issue(command{op: Read, ssd: c.ssd, bytes: BlockBytes, second: true}, at)
}

// Report lets all commands end and returns what was counted.
func (m *Model) Report() storage.Modelled {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.events) > 0 {
		m.step()
	}
	of := func(t ps) time.Duration { return time.Duration(t / 1000) }
	return storage.Modelled{
		Machine: m.config.String(), Reads: m.reads, Writes: m.writes, ExtraReads: m.extra, RungInModel: m.doorbells,
		BytesRead: m.bytesRead, BytesWritten: m.bytesWritten, Time: of(m.latest),
		QueueWait: of(m.waits[0]), SSDWait: of(m.waits[1]), LinkWait: of(m.waits[2]), SecondWait: of(m.waits[3]),
	}
}
