package zmtp

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// compatible lists which sockets each of ours may talk to (RFC 28 and 29).
var compatible = map[string][]string{
	"ROUTER": {"DEALER", "REQ", "ROUTER"},
	"REP":    {"REQ", "DEALER"},
	"XPUB":   {"SUB", "XSUB"},
}

// peerInfo is what a connection said of itself.
type peerInfo struct {
	minor    byte // of ZMTP 3
	kind     string
	identity string
}

// handshake greets and exchanges READY commands as a socket of the given kind. The caller set a deadline.
func handshake(r *bufio.Reader, w io.Writer, kind string) (peerInfo, error) {
	var p peerInfo
	// libzmq sends ten bytes of its greeting and waits for ours, so ours goes out whole and first.
	if _, err := w.Write(greeting[:]); err != nil {
		return p, err
	}
	minor, err := readGreeting(r)
	if err != nil {
		return p, err
	}
	data := appendProperty(nil, property{"Socket-Type", kind})
	if kind == "ROUTER" {
		data = appendProperty(data, property{"Identity", ""})
	}
	if err := sendCommand(w, makeCommand("READY", data)); err != nil {
		return p, err
	}
	p, err = readReady(r)
	if err != nil {
		return p, err
	}
	p.minor = minor
	if !slices.Contains(compatible[kind], p.kind) {
		reason := fmt.Sprintf("a %s socket cannot talk to a %.20s", kind, p.kind)
		sendCommand(w, makeCommand("ERROR", append([]byte{byte(len(reason))}, reason...)))
		return p, fmt.Errorf("zmtp: %s", reason)
	}
	return p, nil
}

// readReady reads the peer's READY command.
func readReady(r *bufio.Reader) (p peerInfo, err error) {
	flags, body, err := readFrame(r, maxHandshake)
	if err != nil {
		return p, err
	}
	name, data, err := splitCommand(body)
	if err != nil {
		return p, err
	}
	if flags&flagCommand == 0 || name != "READY" {
		return p, fmt.Errorf("zmtp: the peer sent %.20q where READY was due", name)
	}
	props, err := readProperties(data)
	if err != nil {
		return p, err
	}
	for _, prop := range props {
		switch strings.ToLower(prop.name) {
		case "socket-type":
			p.kind = prop.value
		case "identity":
			p.identity = prop.value
		}
	}
	if len(p.identity) > 255 {
		return p, fmt.Errorf("zmtp: an identity of %d bytes; 255 are allowed", len(p.identity))
	}
	return p, nil
}

// sendCommand writes a command frame in one write, for the time before a connection has its writer.
func sendCommand(w io.Writer, body []byte) error {
	bw := bufio.NewWriter(w)
	if err := writeFrame(bw, flagCommand, body); err != nil {
		return err
	}
	return bw.Flush()
}
