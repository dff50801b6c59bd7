package zmtp

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/crypto/curve25519"
	"golang.org/x/crypto/nacl/box"
)

// The CURVE mechanism: https://rfc.zeromq.org/spec/26/ for its commands and boxes, https://rfc.zeromq.org/spec/25/ for
// how they travel in ZMTP. Capitals name keys as there: C and S are the long-term public keys of client and server, C'
// and S' those made for one connection; the small letters are their secrets.

// KeyPair is a server's long-term keys. A client must know the public one to be served.
type KeyPair struct{ public, secret [32]byte }

// ParseKeyPair reads keys as ZeroMQ writes them, 40 characters of Z85 each.
func ParseKeyPair(public, secret string) (*KeyPair, error) {
	k := new(KeyPair)
	for _, part := range []struct {
		name, text string
		key        *[32]byte
	}{{"public", public, &k.public}, {"secret", secret, &k.secret}} {
		b, err := z85(part.text)
		if err != nil || len(b) != 32 {
			return nil, fmt.Errorf("zmtp: the %s key is not 40 characters of Z85", part.name)
		}
		copy(part.key[:], b)
	}
	own, err := curve25519.X25519(k.secret[:], curve25519.Basepoint)
	if err != nil || !bytes.Equal(own, k.public[:]) {
		return nil, errors.New("zmtp: the public key does not belong to the secret key")
	}
	return k, nil
}

var errCurve = errors.New("zmtp: a box of the CURVE handshake does not open; the peer has another key")

// Sizes of the parts of commands.
const (
	cookieSize   = 96
	helloSize    = 2 + 72 + 32 + 8 + box.Overhead + 64
	vouchSize    = 16 + box.Overhead + 64
	initiateSize = cookieSize + 8 + box.Overhead + 32 + vouchSize // without the metadata
	messageSize  = 8 + 8 + box.Overhead + 1                       // what a MESSAGE adds to its payload
)

// curveHandshake is the server's side, from behind the greetings. It returns what the client said of itself and the
// framing of all that follows. The caller checks the client's kind and sends ready.
func curveHandshake(r *bufio.Reader, w io.Writer, keys *KeyPair) (p peerInfo, f *curveFraming, err error) {
	data, err := expectCommand(r, "HELLO")
	if err != nil {
		return p, nil, err
	}
	if len(data) != helloSize || data[0] != 1 {
		return p, nil, fmt.Errorf("%w: HELLO", errCommand)
	}
	client := [32]byte(data[74:106]) // C'
	f = &curveFraming{received: binary.BigEndian.Uint64(data[106:114])}
	zeros, ok := box.Open(nil, data[114:], nonce("CurveZMQHELLO---", data[106:114]), &client, &keys.secret)
	if !ok || !bytes.Equal(zeros, make([]byte, 64)) {
		return p, nil, errCurve
	}

	public, secret, err := box.GenerateKey(rand.Reader) // S' and s'
	if err != nil {
		return p, nil, err
	}
	// The cookie lets a server forget s' until the client comes back with it. A connection keeps its state here, so it
	// need not hold anything; it must come back all the same.
	var welcome [16 + cookieSize]byte
	rand.Read(welcome[:])
	long, cookie := welcome[:16], welcome[16:]
	sealed := box.Seal(nil, append(bytes.Clone(public[:]), cookie...), nonce("WELCOME-", long), &client, &keys.secret)
	if err := sendCommand(w, makeCommand("WELCOME", append(long[:16:16], sealed...))); err != nil {
		return p, nil, err
	}

	data, err = expectCommand(r, "INITIATE")
	if err != nil {
		return p, nil, err
	}
	if len(data) < initiateSize || subtle.ConstantTimeCompare(data[:cookieSize], cookie) != 1 {
		return p, nil, fmt.Errorf("%w: INITIATE", errCommand)
	}
	box.Precompute(&f.shared, &client, secret)
	data = data[cookieSize:]
	if !f.newer(data[:8]) {
		return p, nil, errCurve
	}
	plain, ok := box.OpenAfterPrecomputation(nil, data[8:], nonce("CurveZMQINITIATE", data[:8]), &f.shared)
	if !ok {
		return p, nil, errCurve
	}
	// The vouch shows that whoever holds C made C'. Which C it is does not matter: knowing S is what admits a client.
	long1, vouch := [32]byte(plain), plain[32:32+vouchSize]
	said, ok := box.Open(nil, vouch[16:], nonce("VOUCH---", vouch[:16]), &long1, secret)
	if !ok || !bytes.Equal(said, append(client[:], keys.public[:]...)) {
		return p, nil, errCurve
	}
	p, err = peerOf(plain[32+vouchSize:])
	return p, f, err
}

// ready is the body of the READY command that ends the handshake.
func (f *curveFraming) ready(metadata []byte) []byte {
	n := f.next()
	return makeCommand("READY", box.SealAfterPrecomputation(n[:8:8], metadata, nonce("CurveZMQREADY---", n[:]), &f.shared))
}

// curveFraming puts each frame into a box. One goroutine reads and another writes: they share the key alone.
type curveFraming struct {
	shared   [32]byte
	sent     uint64 // the latest nonce of ours
	received uint64 // and of the client
}

// Flags inside of a box.
const (
	boxMore    = 1 << 0
	boxCommand = 1 << 1
)

func (f *curveFraming) read(r *bufio.Reader, limit int64, h *held) (flags byte, body []byte, err error) {
	flags, body, err = readFrame(r, limit+messageSize, h)
	if err != nil {
		return 0, nil, err
	}
	name, data, err := splitCommand(body)
	if err != nil || flags&flagMore != 0 || name != "MESSAGE" || len(body) < messageSize {
		return 0, nil, fmt.Errorf("%w: a frame outside of a CURVE box", errCommand)
	}
	if !f.newer(data[:8]) {
		return 0, nil, errors.New("zmtp: a CURVE box came a second time")
	}
	if err := h.take(len(body)); err != nil {
		return 0, nil, err
	}
	plain, ok := box.OpenAfterPrecomputation(nil, data[8:], nonce("CurveZMQMESSAGEC", data[:8]), &f.shared)
	if !ok {
		return 0, nil, errors.New("zmtp: a CURVE box does not open")
	}
	flags = 0
	if plain[0]&boxMore != 0 {
		flags |= flagMore
	}
	if plain[0]&boxCommand != 0 {
		flags |= flagCommand
	}
	h.give(2*len(body)-(len(plain)-1), false) // the box is not kept
	return flags, plain[1:], checkFlags(flags)
}

func (f *curveFraming) write(w *bufio.Writer, flags byte, body []byte) error {
	plain := make([]byte, 1+len(body))
	if flags&flagMore != 0 {
		plain[0] |= boxMore
	}
	if flags&flagCommand != 0 {
		plain[0] |= boxCommand
	}
	copy(plain[1:], body)
	n := f.next()
	sealed := append(append(make([]byte, 0, messageSize+len(body)), "\x07MESSAGE"...), n[:]...)
	return writeFrame(w, 0, box.SealAfterPrecomputation(sealed, plain, nonce("CurveZMQMESSAGES", n[:]), &f.shared))
}

// next is the nonce of the next box of ours.
func (f *curveFraming) next() (n [8]byte) {
	f.sent++
	binary.BigEndian.PutUint64(n[:], f.sent)
	return n
}

// newer takes the nonce of a box of the client; false when it or a later one was there before.
func (f *curveFraming) newer(short []byte) bool {
	n := binary.BigEndian.Uint64(short)
	ok := n > f.received
	f.received = n
	return ok
}

// nonce is a prefix with what makes it unique, 24 bytes in all.
func nonce(prefix string, rest []byte) *[24]byte {
	var n [24]byte
	copy(n[copy(n[:], prefix):], rest)
	return &n
}
