//go:build unix

package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// key signs the messages.
const key = "soak"

// socket is a connection to one socket of the kernel.
type socket struct {
	conn net.Conn
	r    *bufio.Reader
}

// dial connects as a ZeroMQ socket of the given kind, and waits for a kernel that does not listen yet.
func dial(port int, kind string) (*socket, error) {
	var conn net.Conn
	var err error
	for range 600 {
		if conn, err = net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return nil, err
	}
	s := &socket{conn, bufio.NewReaderSize(conn, 1<<16)}
	ready := "\x05READY\x0bSocket-Type\x00\x00\x00" + string(rune(len(kind))) + kind
	io.WriteString(conn, "\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03\x00NULL"+strings.Repeat("\x00", 48)+"\x04"+string(rune(len(ready)))+ready)
	if _, err := io.CopyN(io.Discard, s.r, 64); err != nil {
		return nil, err
	}
	_, _, err = s.frame() // READY
	return s, err
}

func (s *socket) frame() (body []byte, more bool, err error) {
	flags, err := s.r.ReadByte()
	size := make([]byte, 8)
	if err == nil && flags&2 != 0 {
		_, err = io.ReadFull(s.r, size)
	} else if err == nil {
		size[7], err = s.r.ReadByte()
	}
	body = make([]byte, binary.BigEndian.Uint64(size))
	if err == nil {
		_, err = io.ReadFull(s.r, body)
	}
	return body, flags&1 != 0, err
}

func (s *socket) send(frames ...[]byte) error {
	var b bytes.Buffer
	for i, f := range frames {
		flags := byte(2)
		if i < len(frames)-1 {
			flags |= 1
		}
		b.WriteByte(flags)
		b.Write(binary.BigEndian.AppendUint64(nil, uint64(len(f))))
		b.Write(f)
	}
	_, err := s.conn.Write(b.Bytes())
	return err
}

// message is what the kernel sent.
type message struct {
	kind, parent string
	content      struct {
		Status string                     `json:"status"`
		State  string                     `json:"execution_state"`
		Name   string                     `json:"ename"`
		Value  string                     `json:"evalue"`
		Text   string                     `json:"text"`
		Data   map[string]json.RawMessage `json:"data"`
	}
}

// receive returns the next message, or an error when none comes within a minute.
func (s *socket) receive() (m message, err error) {
	s.conn.SetReadDeadline(time.Now().Add(time.Minute))
	var frames [][]byte
	for more := true; more; {
		var body []byte
		if body, more, err = s.frame(); err != nil {
			return m, err
		}
		frames = append(frames, body)
	}
	for i, f := range frames {
		if string(f) == "<IDS|MSG>" && len(frames) >= i+6 {
			var head, parent struct {
				ID   string `json:"msg_id"`
				Type string `json:"msg_type"`
			}
			if err = json.Unmarshal(frames[i+2], &head); err == nil {
				err = json.Unmarshal(frames[i+3], &parent)
			}
			if err == nil {
				err = json.Unmarshal(frames[i+5], &m.content)
			}
			m.kind, m.parent = head.Type, parent.ID
			return m, err
		}
	}
	return m, fmt.Errorf("a message of %d frames", len(frames))
}

// request sends a message and returns its id.
func (s *socket) request(kind string, content any) (id string, err error) {
	requests++
	id = fmt.Sprint("soak-", requests)
	head, _ := json.Marshal(map[string]any{"msg_id": id, "msg_type": kind, "session": "soak", "username": "soak", "version": "5.3",
		"date": time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")})
	body, err := json.Marshal(content)
	if err != nil {
		return "", err
	}
	parts := [][]byte{head, []byte("{}"), []byte("{}"), body}
	mac := hmac.New(sha256.New, []byte(key))
	for _, p := range parts {
		mac.Write(p)
	}
	return id, s.send(append([][]byte{[]byte("<IDS|MSG>"), []byte(hex.EncodeToString(mac.Sum(nil)))}, parts...)...)
}

var requests int
