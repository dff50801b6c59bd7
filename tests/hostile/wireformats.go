package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// zmtpGreeting is how a client of ZMTP begins; see RFC 37.
var zmtpGreeting = "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL" + strings.Repeat("\x00", 16+1+31)

// zmtpReady is how a client introduces itself.
func zmtpReady(kind, identity string) string {
	property := func(name, value string) string {
		return string([]byte{byte(len(name))}) + name + string(binary.BigEndian.AppendUint32(nil, uint32(len(value)))) + value
	}
	return zmtpCommand("\x05READY" + property("Socket-Type", kind) + property("Identity", identity))
}

func zmtpCommand(body string) string {
	return "\x06" + string(binary.BigEndian.AppendUint64(nil, uint64(len(body)))) + body
}

// zmtpMessage is a message of these frames.
func zmtpMessage(frames ...string) string {
	var b strings.Builder
	for i, f := range frames {
		flags := byte(2)
		if i < len(frames)-1 {
			flags |= 1
		}
		b.Write(binary.BigEndian.AppendUint64([]byte{flags}, uint64(len(f))))
		b.WriteString(f)
	}
	return b.String()
}

// wait is how long a peer may take to answer. It only guards against one that never does.
const wait = time.Minute

// dialed is a connection to a socket that serves this program.
func dialed(address string) net.Conn {
	c, err := net.Dial("tcp", address)
	if err != nil {
		panic(fmt.Sprintf("the socket serves nobody any more: %v", err))
	}
	must(c.SetDeadline(time.Now().Add(wait)))
	return c
}

// transport is a socket and what has come.
type transport struct {
	router *zmtp.Router
	came   chan zmtp.Message
}

func newTransport() (*transport, error) {
	router, err := zmtp.ListenRouter("tcp://127.0.0.1:0", zmtp.Options{Intake: zmtp.NewIntake(64<<20, 16<<20, nil)})
	if err != nil {
		return nil, err
	}
	t := &transport{router, make(chan zmtp.Message)}
	go func() {
		for {
			r, err := router.Recv()
			if err != nil {
				return
			}
			r.Done(true)
			t.came <- r.Frames
		}
	}()
	return t, nil
}

// lastWords is a message that a good client sends behind a hostile one, by which it is known that the socket still
// serves.
const lastWords = "still there?"

// read writes data to the socket, waits until that has hung up, and returns what messages came of it.
func (t *transport) read(in input) (string, error) {
	bad := dialed(t.router.Addr().String())
	defer bad.Close()
	go func() { // while others read
		_, _ = bad.Write(in.data)
		_ = bad.(*net.TCPConn).CloseWrite()
	}()
	hungUp := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, bad)
		good := dialed(t.router.Addr().String())
		_, _ = io.WriteString(good, zmtpGreeting+zmtpReady("DEALER", "")+zmtpMessage(lastWords))
		<-hungUp
		good.Close()
	}()
	defer close(hungUp)
	sum, n := crc32.NewIEEE(), 0
	for {
		select {
		case m := <-t.came:
			if len(m) == 1 && string(m[0]) == lastWords {
				if n == 0 {
					return "", errors.New("the socket has hung up, and no message has come")
				}
				return fmt.Sprintf("%d messages %08x", n, sum.Sum32()), nil
			}
			n++
			fmt.Fprintf(sum, "%d ", len(m))
			sum.Write(bytes.Join(m, []byte{0}))
		case <-time.After(wait):
			panic("the socket has stopped to serve")
		}
	}
}

// transportFrames are what a client writes to a socket: that takes the messages that are whole, or hangs up, and goes
// on to serve others.
func transportFrames() *format {
	var t *transport
	introduced := func(rest string) []byte { return []byte(zmtpGreeting + zmtpReady("DEALER", "a") + rest) }
	return &format{
		name: "zmtp", base: 4 << 20, times: 300,
		begin: func() (err error) {
			t, err = newTransport()
			return err
		},
		seeds: func() []input {
			return []input{
				{name: "two messages", data: introduced(zmtpMessage("a", "b") + "\x01\x01c\x00\x02de")},
				{name: "a ping", data: introduced("\x04\x09\x04PING\x00\x0aab" + zmtpMessage("a"))},
			}
		},
		special: func() []input {
			return []input{
				{name: "a frame of 2^63 bytes", must: fail, data: introduced("\x02\x80\x00\x00\x00\x00\x00\x00\x00")},
				{name: "the beginning of a frame of 500 MB", must: fail, data: introduced("\x02\x00\x00\x00\x00\x1d\xcd\x65\x00" + strings.Repeat("x", 1_000_000))},
				{name: "a request of HTTP", must: fail, data: []byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")},
				{name: "nothing", must: fail, data: []byte{}},
				{name: "100,000 empty frames", must: fail, most: 64 << 20, data: introduced(strings.Repeat("\x01\x00", 100_000))},
				{name: "100,000 pings that nobody hears answered", must: fail, most: 128 << 20, data: introduced(strings.Repeat("\x04\x07\x04PING\x00\x0a", 100_000))},
				{name: "a command of 2 MB", must: fail, data: introduced(zmtpCommand("\x04PING" + strings.Repeat("x", 2_000_000)))},
				{name: "a command without a name", must: fail, data: introduced("\x04\x00")},
				{name: "a command whose name is longer than it", must: fail, data: introduced("\x04\x02\xffa")},
				{name: "an identity of 100,000 bytes", must: fail, data: []byte(zmtpGreeting + zmtpReady("DEALER", strings.Repeat("i", 100_000)))},
				{name: "an unknown socket", must: fail, data: []byte(zmtpGreeting + zmtpReady("\x1b[31m", ""))},
				{name: "a property of 4 GB", must: fail, data: []byte(zmtpGreeting + zmtpCommand("\x05READY\x0bSocket-Type\xff\xff\xff\xff"))},
				{name: "another mechanism", must: fail, data: []byte(strings.Replace(zmtpGreeting, "NULL\x00", "CURVE", 1) + zmtpReady("DEALER", ""))},
				{name: "version 2", must: fail, data: []byte(strings.Replace(zmtpGreeting, "\x03\x00NULL", "\x02\x00NULL", 1) + zmtpReady("DEALER", ""))},
			}
		},
		read: func(in input) (string, error) { return t.read(in) },
	}
}
