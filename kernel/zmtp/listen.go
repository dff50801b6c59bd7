package zmtp

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// ErrClosed is what operations on a closed socket return.
var ErrClosed = errors.New("zmtp: the socket is closed")

// role is what makes a socket a ROUTER, a REP or an XPUB. Its methods are called by the connections' readers.
type role interface {
	joined(*conn)
	left(*conn)
	message(*conn, Message) (kept bool) // kept messages are given back to the intake by whoever has them
	command(c *conn, name string, data []byte)
}

// socket listens and keeps the connections of one ZeroMQ socket.
type socket struct {
	kind     string
	opts     Options
	role     role
	ln       net.Listener
	closing  chan struct{}
	patience *patience

	mu    sync.Mutex
	conns map[net.Conn]*conn // nil until the handshake is done
	wg    sync.WaitGroup
}

// listen opens endpoint, "tcp://host:port" (port 0 for any free one) or "ipc://path", and serves it.
func listen(endpoint, kind string, r role, o Options) (*socket, error) {
	ln := o.Listener
	if ln == nil {
		var err error
		if ln, err = listenOn(endpoint); err != nil {
			return nil, err
		}
	}
	o = o.withDefaults()
	s := &socket{kind: kind, opts: o, role: r, ln: ln, closing: make(chan struct{}), patience: newPatience(o.Stall), conns: map[net.Conn]*conn{}}
	return s, nil
}

// start begins to accept; apart from listen so that the role can hold its socket first.
func (s *socket) start() {
	s.wg.Go(s.accept)
}

func listenOn(endpoint string) (net.Listener, error) {
	transport, addr, ok := strings.Cut(endpoint, "://")
	var ln net.Listener
	var err error
	switch {
	case ok && transport == "tcp":
		ln, err = net.Listen("tcp", strings.Replace(addr, "*", "", 1))
	case ok && transport == "ipc":
		removeStale(addr)
		ln, err = net.Listen("unix", addr)
		if err == nil {
			err = os.Chmod(addr, 0o600)
		}
	default:
		err = fmt.Errorf("the endpoint must begin with tcp:// or ipc://")
	}
	if err != nil {
		if ln != nil {
			ln.Close()
		}
		return nil, fmt.Errorf("zmtp: listening on %s: %w", endpoint, err)
	}
	return ln, nil
}

// removeStale removes a socket file that a dead process left; one that answers stays, and listening on it fails.
func removeStale(path string) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSocket == 0 {
		return
	}
	if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
		c.Close()
		return
	}
	os.Remove(path)
}

// Addr is where the socket listens.
func (s *socket) Addr() net.Addr { return s.ln.Addr() }

// Close stops accepting and reading, writes what is queued for at most Options.Linger, and returns when no goroutine of
// the socket is left.
func (s *socket) Close() error {
	s.mu.Lock()
	select {
	case <-s.closing:
		s.mu.Unlock()
		return ErrClosed
	default:
	}
	close(s.closing)
	for nc, c := range s.conns {
		if c == nil {
			nc.Close() // still shaking hands
		} else {
			c.linger(s.opts.Linger)
		}
	}
	s.mu.Unlock()
	err := s.ln.Close()
	s.wg.Wait()
	return err
}

func (s *socket) accept() {
	for wait := time.Duration(0); ; {
		nc, err := s.ln.Accept()
		select {
		case <-s.closing:
			if nc != nil {
				nc.Close()
			}
			return
		default:
		}
		if err != nil { // out of file descriptors, say: it passes when connections go
			wait = min(max(2*wait, 5*time.Millisecond), time.Second)
			select {
			case <-time.After(wait):
			case <-s.closing:
			}
			continue
		}
		wait = 0
		s.mu.Lock()
		select {
		case <-s.closing:
			nc.Close()
		default:
			if len(s.conns) >= maxConnections {
				nc.Close()
				break
			}
			s.conns[nc] = nil
			s.wg.Go(func() { s.serve(nc) })
		}
		s.mu.Unlock()
	}
}

// maxConnections is how many connections a socket serves. Others are closed at once, and may try again.
const maxConnections = 1000

// serve is the life of one connection.
func (s *socket) serve(nc net.Conn) {
	defer func() {
		nc.Close()
		s.mu.Lock()
		delete(s.conns, nc)
		s.mu.Unlock()
	}()
	nc.SetDeadline(time.Now().Add(s.opts.Handshake))
	r := bufio.NewReaderSize(nc, 16<<10)
	peer, how, err := handshake(r, nc, s.kind, s.opts.Curve)
	if err != nil {
		return
	}
	nc.SetDeadline(time.Time{})
	c := &conn{net: nc, r: r, how: how, out: newQueue(s.opts, s.patience, peer.minor >= 1), peer: peer, held: s.opts.Intake.join(nc)}
	defer c.held.end()
	s.mu.Lock()
	select {
	case <-s.closing:
		s.mu.Unlock()
		return
	default:
	}
	s.conns[nc] = c
	s.mu.Unlock()

	var writer sync.WaitGroup
	writer.Go(c.write)
	s.role.joined(c)
	s.read(c)
	s.role.left(c)
	select {
	case <-s.closing: // linger gave the writer its time
	default:
		c.close()
	}
	writer.Wait()
}

// read hands on what arrives until the connection fails or the socket closes.
func (s *socket) read(c *conn) {
	for {
		msg, err := readMessage(c.how, c.r, s.opts.MaxFrame, c.held, func(body []byte) error { return s.command(c, body) })
		if err != nil {
			return
		}
		if !s.role.message(c, msg) {
			c.held.give(cost(msg), false)
		}
	}
}

// command answers the commands that all sockets know and hands on the others.
func (s *socket) command(c *conn, body []byte) error {
	name, data, err := splitCommand(body)
	if err != nil {
		return err
	}
	switch name {
	case "PING":
		answer, err := pong(data)
		if err != nil {
			return err
		}
		c.out.put(item{cmd: answer}, true)
	case "PONG":
		c.out.answered(data)
	case "ERROR":
		return fmt.Errorf("zmtp: the peer reports an error")
	default:
		s.role.command(c, name, data)
	}
	return nil
}
