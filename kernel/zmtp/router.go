package zmtp

import (
	"crypto/rand"
	"errors"
	"sync"
)

// ErrNoPeer is what Router.Send returns when no connection has the identity, or when the one that has it does not read.
var ErrNoPeer = errors.New("zmtp: no such peer, or it does not read")

// Request is a message with the identity of the connection that it came from.
type Request struct {
	Peer   string
	Frames Message

	from *conn
}

// Done says that the message is verified, or thrown away when ok is false. Until then it counts in Options.Intake.
func (r Request) Done(ok bool) { r.from.held.give(cost(r.Frames), ok) }

// Router is a ROUTER socket: it receives from all connections and sends to one, by identity.
type Router struct {
	*socket
	in chan Request

	peersMu sync.Mutex
	peers   map[string]*conn
}

// ListenRouter opens a ROUTER on endpoint, "tcp://host:port" or "ipc://path".
func ListenRouter(endpoint string, o Options) (*Router, error) {
	r := &Router{in: make(chan Request), peers: map[string]*conn{}}
	s, err := listen(endpoint, "ROUTER", r, o)
	if err != nil {
		return nil, err
	}
	r.socket = s
	s.start()
	return r, nil
}

// Recv returns the next message of any connection. It fails with ErrClosed alone.
func (r *Router) Recv() (Request, error) {
	select {
	case req := <-r.in:
		return req, nil
	case <-r.closing:
		return Request{}, ErrClosed
	}
}

// Send queues m for the connection that has the identity peer. A nil error does not mean that it arrived.
func (r *Router) Send(peer string, m Message) error {
	r.peersMu.Lock()
	c := r.peers[peer]
	r.peersMu.Unlock()
	if c == nil || !c.send(m) {
		return ErrNoPeer
	}
	return nil
}

// joined gives c its identity. A client that comes back before its old connection was found dead takes the identity
// over (libzmq's ROUTER_HANDOVER, which Jupyter kernels set): the old one is closed.
func (r *Router) joined(c *conn) {
	c.id = c.peer.identity
	if c.id == "" {
		c.id = "\x00" + rand.Text() // a leading zero is reserved for identities that the router makes
	}
	r.peersMu.Lock()
	old := r.peers[c.id]
	r.peers[c.id] = c
	r.peersMu.Unlock()
	if old != nil {
		old.close()
	}
}

func (r *Router) left(c *conn) {
	r.peersMu.Lock()
	defer r.peersMu.Unlock()
	if r.peers[c.id] == c {
		delete(r.peers, c.id)
	}
}

func (r *Router) message(c *conn, m Message) (kept bool) {
	select {
	case r.in <- Request{c.id, m, c}:
		return true
	case <-r.closing:
		return false
	}
}

func (r *Router) command(*conn, string, []byte) {}
