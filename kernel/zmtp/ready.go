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

// handshake greets and introduces both sides, as a socket of the given kind; with keys by the CURVE mechanism. The
// caller set a deadline.
func handshake(r *bufio.Reader, w io.Writer, kind string, keys *KeyPair) (p peerInfo, how framing, err error) {
	mechanism := "NULL"
	if keys != nil {
		mechanism = "CURVE"
	}
	// libzmq sends ten bytes of its greeting and waits for ours, so ours goes out whole and first.
	ours := greeting(mechanism)
	if _, err := w.Write(ours[:]); err != nil {
		return p, nil, err
	}
	minor, err := readGreeting(r, mechanism)
	if err != nil {
		return p, nil, err
	}
	metadata := appendProperty(nil, property{"Socket-Type", kind})
	if kind == "ROUTER" {
		metadata = appendProperty(metadata, property{"Identity", ""})
	}
	if keys == nil {
		// NULL has no order: both sides say READY at once.
		if err := sendCommand(w, makeCommand("READY", metadata)); err != nil {
			return p, nil, err
		}
		p, err = readReady(r)
		how = plainFraming{}
		if err == nil {
			err = compatibleWith(w, kind, p)
		}
	} else {
		var curve *curveFraming
		p, curve, err = curveHandshake(r, w, keys)
		how = curve
		if err == nil {
			err = compatibleWith(w, kind, p)
		}
		if err == nil {
			err = sendCommand(w, curve.ready(metadata))
		}
	}
	p.minor = minor
	return p, how, err
}

// compatibleWith checks that a socket of the given kind may talk to p, and tells p when not.
func compatibleWith(w io.Writer, kind string, p peerInfo) error {
	if slices.Contains(compatible[kind], p.kind) {
		return nil
	}
	reason := fmt.Sprintf("a %s socket cannot talk to a %.20s", kind, p.kind)
	sendCommand(w, makeCommand("ERROR", append([]byte{byte(len(reason))}, reason...)))
	return fmt.Errorf("zmtp: %s", reason)
}

// expectCommand reads the command that is due in a handshake and returns its data.
func expectCommand(r *bufio.Reader, due string) (data []byte, err error) {
	flags, body, err := readFrame(r, maxHandshake, nil)
	if err != nil {
		return nil, err
	}
	name, data, err := splitCommand(body)
	if err != nil {
		return nil, err
	}
	if flags&flagCommand == 0 || name != due {
		return nil, fmt.Errorf("zmtp: the peer sent %.20q where %s was due", name, due)
	}
	return data, nil
}

// readReady reads the peer's READY command.
func readReady(r *bufio.Reader) (p peerInfo, err error) {
	data, err := expectCommand(r, "READY")
	if err != nil {
		return p, err
	}
	return peerOf(data)
}

// peerOf is what the metadata of a handshake say.
func peerOf(metadata []byte) (p peerInfo, err error) {
	props, err := readProperties(metadata)
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
