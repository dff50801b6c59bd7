package zmtp

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
)

// Limits on what one subscriber may ask for.
const (
	maxSubscriptions = 1000
	maxTopics        = 64 << 10 // bytes of all its topics
)

// Pub is an XPUB socket: it sends each message to the connections that subscribed to a prefix of its first frame.
type Pub struct {
	*socket
	welcome func(topic []byte) Message

	order sync.Mutex // one Publish at a time, so that all subscribers see one order
	mu    sync.Mutex
	subs  map[*conn][][]byte
}

// ListenPub opens an XPUB on endpoint, "tcp://host:port" or "ipc://path". When welcome is not nil, what it returns is
// sent to a connection for each new subscription, to that connection alone; its first frame must begin with the topic,
// or the subscriber's own filter drops it.
func ListenPub(endpoint string, o Options, welcome func(topic []byte) Message) (*Pub, error) {
	o.MaxFrame = cmp.Or(o.MaxFrame, smallFrame)
	p := &Pub{welcome: welcome, subs: map[*conn][][]byte{}}
	s, err := listen(endpoint, "XPUB", p, o)
	if err != nil {
		return nil, err
	}
	p.socket = s
	s.start()
	return p, nil
}

// Publish queues m for every subscriber. It waits for those whose queues are full and who read, and at most
// Options.Stall for all others together.
func (p *Pub) Publish(m Message) {
	p.order.Lock()
	defer p.order.Unlock()
	for _, c := range p.subscribers(m[0]) {
		c.send(m)
	}
}

// PublishNow queues m for every subscriber and waits for nobody. It may overtake what Publish is about to send, and
// somebody far behind may not get it.
func (p *Pub) PublishNow(m Message) {
	for _, c := range p.subscribers(m[0]) {
		c.sendNow(m)
	}
}

// Hurry ends the waiting for subscribers that have never shown that they read.
func (p *Pub) Hurry() {
	p.patience.spend(p.opts.Stall)
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.subs {
		c.out.hurry()
	}
}

// subscribers is taken before sending, so that a stuck one holds up no newcomer.
func (p *Pub) subscribers(topic []byte) []*conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	var to []*conn
	for c, prefixes := range p.subs {
		if slices.ContainsFunc(prefixes, func(pre []byte) bool { return bytes.HasPrefix(topic, pre) }) {
			to = append(to, c)
		}
	}
	return to
}

func (p *Pub) subscribe(c *conn, topic []byte) {
	p.mu.Lock()
	known := slices.ContainsFunc(p.subs[c], func(t []byte) bool { return bytes.Equal(t, topic) })
	size := len(topic)
	for _, t := range p.subs[c] {
		size += len(t)
	}
	ok := size <= maxTopics && len(p.subs[c]) < maxSubscriptions
	greet := ok && !known && p.welcome != nil
	if greet && len(p.subs[c]) == 0 {
		c.sendNow(p.welcome(topic)) // under the lock, so that nothing published overtakes it
		greet = false
	}
	if ok {
		p.subs[c] = append(p.subs[c], topic) // as often as it was asked for: each needs its own cancel
	}
	p.mu.Unlock()
	if !ok {
		c.close()
	} else if greet {
		c.sendNow(p.welcome(topic))
	}
}

func (p *Pub) cancel(c *conn, topic []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.IndexFunc(p.subs[c], func(t []byte) bool { return bytes.Equal(t, topic) }); i >= 0 {
		p.subs[c] = slices.Delete(p.subs[c], i, i+1)
	}
}

func (p *Pub) joined(*conn) {}

func (p *Pub) left(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.subs, c)
}

// message takes the subscriptions of ZMTP 3.0, which are messages. Others mean nothing to a kernel.
func (p *Pub) message(c *conn, m Message) (kept bool) {
	if len(m) != 1 || len(m[0]) == 0 {
		return false
	}
	switch m[0][0] {
	case 1:
		p.subscribe(c, m[0][1:])
	case 0:
		p.cancel(c, m[0][1:])
	}
	return false
}

// command takes the subscriptions of ZMTP 3.1.
func (p *Pub) command(c *conn, name string, data []byte) {
	switch name {
	case "SUBSCRIBE":
		p.subscribe(c, data)
	case "CANCEL":
		p.cancel(c, data)
	}
}
