package zmtp

import (
	"errors"
	"fmt"
	"io"
)

// greetingSize is the length of a greeting: signature 10, version 2, mechanism 20, as-server 1, filler 31.
const greetingSize = 64

// greeting is ours: version 3.1. In CURVE one side is the server, and that is us; NULL has no such roles.
func greeting(mechanism string) (g [greetingSize]byte) {
	g[0], g[9] = 0xff, 0x7f
	g[10], g[11] = 3, 1
	copy(g[12:32], mechanism)
	if mechanism == "CURVE" {
		g[32] = 1
	}
	return g
}

// errNotZMTP says that the other side speaks another protocol.
var errNotZMTP = errors.New("zmtp: the peer does not speak ZMTP")

// readGreeting reads the peer's greeting, which must name the mechanism, and returns its minor version. It reads no
// further than it must to refuse, so that an HTTP client is turned away at its first bytes.
func readGreeting(r io.Reader, mechanism string) (minor byte, err error) {
	var g [greetingSize]byte
	if _, err := io.ReadFull(r, g[:1]); err != nil {
		return 0, err
	}
	if g[0] != 0xff {
		return 0, errNotZMTP
	}
	if _, err := io.ReadFull(r, g[1:11]); err != nil {
		return 0, err
	}
	if g[9]&1 == 0 { // the padding between may hold anything; the last byte of the signature has bit 0 set
		return 0, errNotZMTP
	}
	if g[10] < 3 {
		return 0, fmt.Errorf("zmtp: the peer speaks ZMTP %d; version 3.0 or later is needed", g[10])
	}
	if _, err := io.ReadFull(r, g[11:]); err != nil {
		return 0, err
	}
	if mech := cString(g[12:32]); mech != mechanism {
		return 0, fmt.Errorf("zmtp: the peer asks for security mechanism %q; only %s is offered", mech, mechanism)
	}
	if g[10] > 3 {
		return 1, nil // a later peer must fall back to what we greeted with
	}
	return g[11], nil
}

// cString is b up to its first zero byte.
func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
