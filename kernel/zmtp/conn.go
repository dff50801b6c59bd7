package zmtp

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// conn is one connection after its handshake. Its reader runs in serve, its writer in a goroutine that serve waits for.
type conn struct {
	net  net.Conn
	r    *bufio.Reader
	how  framing
	out  *queue
	peer peerInfo
	held *held
	id   string // the routing identity that a Router gave it

	once sync.Once
}

// send queues m, and reports whether it was. It waits for a reader that is behind.
func (c *conn) send(m Message) bool { return c.put(m, false) }

// sendNow is send without waiting.
func (c *conn) sendNow(m Message) bool { return c.put(m, true) }

func (c *conn) put(m Message, urgent bool) bool {
	if c.out.put(item{msg: m}, urgent) {
		return true
	}
	if c.out.lost(lostAfter) {
		c.close() // what it has not read would be kept for ever; when it wakes up, it connects anew
	}
	return false
}

// lostAfter is how long a connection may be stuck and read nothing at all.
const lostAfter = time.Minute

// writers are those of connections that write. Others have none: there may be a thousand for a socket, of anybody.
var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 64<<10) }}

// write writes what is queued until the queue is closed and empty or the connection fails. Small messages that wait
// together leave in one system call.
func (c *conn) write() {
	var w *bufio.Writer // while there is something to write; it keeps its first error and returns it from then on
	flush := func() {
		if w == nil {
			return
		}
		if w.Flush() != nil {
			c.close()
		}
		w.Reset(nil)
		writers.Put(w)
		w = nil
	}
	for {
		it, ask, ok := c.out.take(flush)
		if ok && w == nil {
			w = writers.Get().(*bufio.Writer)
			w.Reset(c.net)
		}
		switch {
		case !ok:
			c.closeWrite()
			return
		case it.cmd != nil:
			c.how.write(w, flagCommand, it.cmd)
		default:
			writeMessage(c.how, w, it.msg)
		}
		if ask != nil {
			c.how.write(w, flagCommand, pingOf(ask))
		}
	}
}

// closeWrite tells the peer that nothing more comes. The peer closes in turn, which ends the reader: closing both
// directions at once with unread input would reset the connection, and what was just written could be lost.
func (c *conn) closeWrite() {
	if half, ok := c.net.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
}

// linger lets the writer finish and the peer hang up for at most d.
func (c *conn) linger(d time.Duration) {
	c.net.SetDeadline(time.Now().Add(d))
	c.out.close()
}

func (c *conn) close() {
	c.once.Do(func() {
		c.out.close()
		c.net.Close()
	})
}
