package zmtp

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// Flag bits of a frame's first byte.
const (
	flagMore    = 1 << 0
	flagLong    = 1 << 1
	flagCommand = 1 << 2
)

// Limits on one message beside MaxFrame: Jupyter's have about eight frames and the buffers of a comm.
const (
	maxFrames    = 4096
	growStep     = 64 << 10 // memory given to a frame before its bytes have arrived
	maxHandshake = 16 << 10 // a READY is under 100 bytes in practice
)

// readFrame reads one frame of at most limit bytes, which h then holds.
func readFrame(r *bufio.Reader, limit int64, h *held) (flags byte, body []byte, err error) {
	flags, err = r.ReadByte()
	if err != nil {
		return 0, nil, err
	}
	if err := checkFlags(flags); err != nil {
		return 0, nil, err
	}
	var size uint64
	var head [8]byte
	if flags&flagLong != 0 {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return 0, nil, unexpected(err)
		}
		size = binary.BigEndian.Uint64(head[:])
	} else {
		if _, err := io.ReadFull(r, head[:1]); err != nil {
			return 0, nil, unexpected(err)
		}
		size = uint64(head[0])
	}
	if size > uint64(limit) {
		return 0, nil, fmt.Errorf("zmtp: a frame of %d bytes is over the limit of %d", size, limit)
	}
	body, err = readBody(r, int(size), h)
	return flags, body, err
}

func checkFlags(flags byte) error {
	if flags&^(flagMore|flagLong|flagCommand) != 0 || flags&flagCommand != 0 && flags&flagMore != 0 {
		return fmt.Errorf("zmtp: invalid frame flags %#02x", flags)
	}
	return nil
}

// framing is how the frames of a connection travel after its handshake.
type framing interface {
	read(r *bufio.Reader, limit int64, h *held) (flags byte, body []byte, err error)
	write(w *bufio.Writer, flags byte, body []byte) error
}

// plainFraming is the NULL mechanism's.
type plainFraming struct{}

func (plainFraming) read(r *bufio.Reader, limit int64, h *held) (byte, []byte, error) {
	return readFrame(r, limit, h)
}
func (plainFraming) write(w *bufio.Writer, flags byte, body []byte) error {
	return writeFrame(w, flags, body)
}

// readBody reads n bytes, which h then holds, with what a frame costs. The header alone buys no more than growStep of
// memory; the rest must be paid for with bytes.
func readBody(r io.Reader, n int, h *held) ([]byte, error) {
	have := min(n, growStep)
	if err := h.take(have + frameCost); err != nil {
		return nil, err
	}
	body := make([]byte, have)
	read := 0
	for {
		m, err := io.ReadFull(r, body[read:])
		read += m
		if err != nil {
			return nil, unexpected(err)
		}
		if read == n {
			return body, nil
		}
		more := min(n, 2*have)
		if err := h.take(more); err != nil {
			return nil, err
		}
		grown := make([]byte, more)
		copy(grown, body)
		h.give(have, false)
		body, have = grown, more
	}
}

// readMessage reads frames up to the end of a message and hands commands to command as they come. The grammar has no
// command inside a message, but libzmq sends its PINGs between the frames of one when it is time for them. What arrives
// is held by h.
func readMessage(f framing, r *bufio.Reader, limit int64, h *held, command func(body []byte) error) (msg Message, err error) {
	var total int64
	for {
		flags, body, err := f.read(r, limit-total, h)
		if err != nil {
			return nil, err
		}
		if flags&flagCommand != 0 {
			if err := command(body); err != nil {
				return nil, err
			}
			h.give(len(body)+frameCost, false)
			continue
		}
		msg = append(msg, body)
		total += int64(len(body))
		if flags&flagMore == 0 {
			return msg, nil
		}
		if len(msg) == maxFrames {
			return nil, fmt.Errorf("zmtp: a message of more than %d frames", maxFrames)
		}
	}
}

// writeFrame writes one frame; a large body goes past w's buffer without a copy.
func writeFrame(w *bufio.Writer, flags byte, body []byte) error {
	var head [9]byte
	n := 2
	if len(body) > 255 {
		flags |= flagLong
		binary.BigEndian.PutUint64(head[1:], uint64(len(body)))
		n = 9
	} else {
		head[1] = byte(len(body))
	}
	head[0] = flags
	if _, err := w.Write(head[:n]); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}

// writeMessage writes all frames of m.
func writeMessage(f framing, w *bufio.Writer, m Message) error {
	for i, body := range m {
		var flags byte
		if i < len(m)-1 {
			flags = flagMore
		}
		if err := f.write(w, flags, body); err != nil {
			return err
		}
	}
	return nil
}

// cost is what a message counts that is not verified.
func cost(m Message) int { return m.Size() + len(m)*frameCost }

// unexpected marks an end of stream inside a frame as what it is.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
