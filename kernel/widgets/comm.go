package widgets

import (
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Sender carries comm messages to the clients. The kernel is one.
type Sender interface {
	// SendComm sends a comm_open, comm_msg or comm_close, after all that was shown before it.
	SendComm(msgType string, content, metadata map[string]any)
	// ParentID is the id of the request that is being answered: clients know outputs by it.
	ParentID() string
}

// Comm is one channel to an object in the client.
type Comm struct {
	ID, Target string
	receive    func(data map[string]any)
	sender     Sender
}

// comms are the open ones. One process serves one session.
var comms struct {
	sync.Mutex
	sender  Sender
	open    map[string]*Comm
	targets map[string]func(*Comm, map[string]any)
}

// SetSender installs where messages go. All comms of the sender before are forgotten.
func SetSender(s Sender) {
	comms.Lock()
	defer comms.Unlock()
	comms.sender, comms.open = s, map[string]*Comm{}
}

func sender() Sender {
	comms.Lock()
	defer comms.Unlock()
	return comms.sender
}

// Open opens a comm to what the client knows as target. Receive gets what the client sends, in order, as a cell runs;
// it may be nil. Without a client the comm leads nowhere.
func Open(target string, data, metadata map[string]any, receive func(data map[string]any)) *Comm {
	c := &Comm{ID: newID(), Target: target, receive: receive}
	comms.Lock()
	c.sender = comms.sender
	if c.sender != nil {
		comms.open[c.ID] = c
	}
	comms.Unlock()
	if c.sender != nil {
		c.sender.SendComm("comm_open", map[string]any{"comm_id": c.ID, "target_name": target, "data": data}, metadata)
	}
	return c
}

// numbered counts the comms that have numbers for ids.
var numbered atomic.Int64

// newID is an id that no other comm has. A notebook keeps those of its widgets: they are the same in two runs where
// what is shown has to be ([display.SetReproducible]).
func newID() string {
	if display.Reproducible() {
		return fmt.Sprintf("%026d", numbered.Add(1))
	}
	return rand.Text()
}

// Send sends data to the client.
func (c *Comm) Send(data map[string]any) {
	if c.sender != nil {
		c.sender.SendComm("comm_msg", map[string]any{"comm_id": c.ID, "data": data}, nil)
	}
}

// Close closes the comm at both ends.
func (c *Comm) Close() {
	if Closed(c.ID) {
		c.sender.SendComm("comm_close", map[string]any{"comm_id": c.ID, "data": map[string]any{}}, nil)
	}
}

// Handle lets clients open comms of their own to target: f gets each with the data that came along, and may set what it
// receives by [Comm.OnReceive].
func Handle(target string, f func(c *Comm, data map[string]any)) {
	comms.Lock()
	defer comms.Unlock()
	if comms.targets == nil {
		comms.targets = map[string]func(*Comm, map[string]any){}
	}
	comms.targets[target] = f
}

// OnReceive sets what gets the messages of the client.
func (c *Comm) OnReceive(f func(data map[string]any)) {
	comms.Lock()
	defer comms.Unlock()
	c.receive = f
}

// Opened takes a comm that a client opened; false when nobody handles its target. The kernel calls it.
func Opened(id, target string, data map[string]any) bool {
	comms.Lock()
	f := comms.targets[target]
	c := &Comm{ID: id, Target: target, sender: comms.sender}
	if f != nil && comms.open != nil {
		comms.open[id] = c
	}
	comms.Unlock()
	if f == nil {
		return false
	}
	f(c, data)
	return true
}

// Received takes what a client sent. The kernel calls it.
func Received(id string, data map[string]any) {
	comms.Lock()
	var f func(map[string]any)
	if c := comms.open[id]; c != nil {
		f = c.receive
	}
	comms.Unlock()
	if f != nil {
		f(data)
	}
}

// Closed takes that a client closed a comm, and reports whether it was open. The kernel calls it.
func Closed(id string) bool {
	comms.Lock()
	defer comms.Unlock()
	_, ok := comms.open[id]
	delete(comms.open, id)
	return ok
}

// List returns the targets of the open comms by id; target "" stands for all.
func List(target string) map[string]string {
	comms.Lock()
	defer comms.Unlock()
	list := map[string]string{}
	for id, c := range comms.open {
		if target == "" || c.Target == target {
			list[id] = c.Target
		}
	}
	return list
}
