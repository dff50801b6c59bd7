package zmtp

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var errCommand = errors.New("zmtp: malformed command")

// splitCommand takes the body of a command frame apart into its name and its data.
func splitCommand(body []byte) (name string, data []byte, err error) {
	if len(body) == 0 || int(body[0]) > len(body)-1 || body[0] == 0 {
		return "", nil, errCommand
	}
	n := int(body[0])
	return string(body[1 : 1+n]), body[1+n:], nil
}

// makeCommand is the body of a command frame.
func makeCommand(name string, data []byte) []byte {
	b := make([]byte, 0, 1+len(name)+len(data))
	b = append(b, byte(len(name)))
	b = append(b, name...)
	return append(b, data...)
}

// property is one name and value of a READY command. Names compare without regard to case.
type property struct{ name, value string }

func appendProperty(b []byte, p property) []byte {
	b = append(b, byte(len(p.name)))
	b = append(b, p.name...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(p.value)))
	return append(b, p.value...)
}

// readProperties parses the data of a READY command.
func readProperties(data []byte) ([]property, error) {
	var props []property
	for len(data) > 0 {
		n := int(data[0])
		if n == 0 || len(data) < 1+n+4 {
			return nil, fmt.Errorf("%w: READY", errCommand)
		}
		name := string(data[1 : 1+n])
		data = data[1+n:]
		size := binary.BigEndian.Uint32(data)
		data = data[4:]
		if uint64(size) > uint64(len(data)) {
			return nil, fmt.Errorf("%w: READY", errCommand)
		}
		props = append(props, property{name, string(data[:size])})
		data = data[size:]
	}
	return props, nil
}

// pingOf is a PING with a context, at most 16 bytes that the peer returns. The time to live is 0: the peer may hear
// nothing from us for as long as it likes.
func pingOf(context []byte) []byte { return makeCommand("PING", append([]byte{0, 0}, context...)) }

// pong is the answer to the data of a PING: its context (at most 16 bytes) returned. The first two bytes are the time
// to live, which asks nothing of us: TCP keep-alive finds peers that are gone.
func pong(ping []byte) ([]byte, error) {
	if len(ping) < 2 || len(ping) > 2+16 {
		return nil, fmt.Errorf("%w: PING", errCommand)
	}
	return makeCommand("PONG", ping[2:]), nil
}
