package zmtp

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"golang.org/x/crypto/nacl/box"
)

// The server's keys of the test vectors in zmq_curve(7), libzmq's manual.
const (
	testPublic = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
	testSecret = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"
)

func testKeys(t testing.TB) *KeyPair {
	t.Helper()
	k, err := ParseKeyPair(testPublic, testSecret)
	require.NoError(t, err)
	return k
}

func TestZ85(t *testing.T) {
	// the vector of RFC 32
	if b, err := z85("HelloWorld"); err != nil || string(b) != "\x86\x4f\xd2\x6f\xb5\x59\xf7\x5b" {
		t.Errorf("%x, %v", b, err)
	}
	for _, bad := range []string{"Hell", "Hello Worl", "%nSc1" /* 2^32 */} {
		if b, err := z85(bad); err == nil {
			t.Errorf("%q decoded to %x", bad, b)
		}
	}
}

func TestParseKeyPair(t *testing.T) {
	for want, keys := range map[string][2]string{
		"public key is not": {"short", testSecret},
		"secret key is not": {testPublic, ""},
		// the client's, of the same manual
		"does not belong": {"Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID", testSecret},
	} {
		if _, err := ParseKeyPair(keys[0], keys[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", keys, err, want)
		}
	}
}

// curveClient is the client's side, from RFC 26; each step can be spoiled by the test.
type curveClient struct {
	*client
	server, public, secret [32]byte // S, and C' with its secret
	long, longSecret       *[32]byte
	shared                 [32]byte
	sent                   uint64
}

func curveDial(t *testing.T, s *socket) *curveClient {
	c := &curveClient{client: dial(t, s.Addr()), server: testKeys(t).public}
	public, secret, _ := box.GenerateKey(rand.Reader)
	c.public, c.secret = *public, *secret
	c.long, c.longSecret, _ = box.GenerateKey(rand.Reader)
	c.SetReadDeadline(time.Now().Add(time.Minute))
	return c
}

func (c *curveClient) nonce() []byte {
	c.sent++
	return binary.BigEndian.AppendUint64(nil, c.sent)
}

func (c *curveClient) greet() {
	c.write("\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x01CURVE" + strings.Repeat("\x00", 15+1+31))
	if _, err := io.ReadFull(c.r, make([]byte, 64)); err != nil {
		c.t.Fatal("greeting:", err)
	}
}

func (c *curveClient) hello() []byte {
	n := c.nonce()
	b := append([]byte("\x05HELLO\x01\x00"), make([]byte, 72)...)
	b = append(append(b, c.public[:]...), n...)
	return box.Seal(b, make([]byte, 64), nonce("CurveZMQHELLO---", n), &c.server, &c.secret)
}

// welcomed reads WELCOME and returns the cookie.
func (c *curveClient) welcomed() []byte {
	c.t.Helper()
	flags, body, err := readFrame(c.r, 1<<16, nil)
	if err != nil || flags != flagCommand || !strings.HasPrefix(string(body), "\x07WELCOME") || len(body) != 168 {
		c.t.Fatalf("WELCOME: flags %x, %d bytes %.10q: %v", flags, len(body), body, err)
	}
	plain, ok := box.Open(nil, body[24:], nonce("WELCOME-", body[8:24]), &c.server, &c.secret)
	if !ok {
		c.t.Fatal("WELCOME does not open")
	}
	short := [32]byte(plain)
	box.Precompute(&c.shared, &short, &c.secret)
	c.server = short // S' from here on
	return plain[32:]
}

func (c *curveClient) initiate(cookie, vouchFor []byte, metadata string) []byte {
	vouchNonce := []byte("0123456789abcdef")
	plain := append(append([]byte{}, c.long[:]...), vouchNonce...)
	plain = box.Seal(plain, vouchFor, nonce("VOUCH---", vouchNonce), &c.server, c.longSecret)
	plain = append(plain, metadata...)
	n := c.nonce()
	b := append(append([]byte("\x08INITIATE"), cookie...), n...)
	return box.SealAfterPrecomputation(b, plain, nonce("CurveZMQINITIATE", n), &c.shared)
}

func (c *curveClient) command(body []byte) {
	w := bufio.NewWriter(c)
	writeFrame(w, flagCommand, body)
	w.Flush()
}

func (c *curveClient) message(flags byte, body string) []byte {
	n := c.nonce()
	return box.SealAfterPrecomputation(append([]byte("\x07MESSAGE"), n...), append([]byte{flags}, body...), nonce("CurveZMQMESSAGEC", n), &c.shared)
}

func (c *curveClient) frame(flags byte, body []byte) {
	w := bufio.NewWriter(c)
	writeFrame(w, flags, body)
	w.Flush() // the server may have hung up
}

const reqMetadata = "\x0bSocket-Type\x00\x00\x00\x03REQ"

func (c *curveClient) shake() {
	c.t.Helper()
	c.greet()
	c.command(c.hello())
	cookie := c.welcomed()
	vouch := append(append([]byte{}, c.public[:]...), testKeys(c.t).public[:]...)
	c.command(c.initiate(cookie, vouch, reqMetadata))
	_, body, err := readFrame(c.r, 1<<16, nil)
	if err != nil || !strings.HasPrefix(string(body), "\x05READY") {
		c.t.Fatalf("READY: %.20q, %v", body, err)
	}
	meta, ok := box.OpenAfterPrecomputation(nil, body[14:], nonce("CurveZMQREADY---", body[6:14]), &c.shared)
	if !ok || string(meta) != "\x0bSocket-Type\x00\x00\x00\x03REP" {
		c.t.Fatalf("READY says %q, %v", meta, ok)
	}
}

func (c *curveClient) receive() string {
	c.t.Helper()
	flags, body, err := readFrame(c.r, 1<<20, nil)
	if err != nil || flags != 0 || !strings.HasPrefix(string(body), "\x07MESSAGE") {
		c.t.Fatalf("flags %x, body %.20q: %v", flags, body, err)
	}
	plain, ok := box.OpenAfterPrecomputation(nil, body[16:], nonce("CurveZMQMESSAGES", body[8:16]), &c.shared)
	if !ok {
		c.t.Fatal("a box of the server does not open")
	}
	return fmt.Sprintf("%x%s", plain[0], plain[1:])
}

func TestCurveTravelsInBoxes(t *testing.T) {
	e := echo(t, Options{Curve: testKeys(t)})
	c := curveDial(t, e.socket)
	c.shake()
	c.frame(0, c.message(boxCommand, "\x04PING\x00\x00ab"))
	if got := c.receive(); got != "2\x04PONGab" {
		t.Errorf("PING was answered with %q", got)
	}
	c.frame(0, c.message(boxMore, ""))
	c.frame(0, c.message(0, "secret"))
	for _, want := range []string{"1", "0secret"} {
		if got := c.receive(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What a client that lacks a key, or somebody between, can try: each ends that connection and no other.
func TestCurveRefuses(t *testing.T) {
	e := echo(t, Options{Curve: testKeys(t)})
	good := curveDial(t, e.socket)
	good.shake()
	server := testKeys(t).public
	spoil := func(b []byte, at int) []byte { b = bytes.Clone(b); b[at] ^= 1; return b }
	for name, try := range map[string]func(c *curveClient){
		"the NULL mechanism": func(c *curveClient) {
			c.write("\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x01NULL" + strings.Repeat("\x00", 16+1+31))
			c.write("\x04\x1a\x05READY" + reqMetadata)
		},
		"another server's key":   func(c *curveClient) { c.server[0] ^= 1; c.greet(); c.command(c.hello()) },
		"a short HELLO":          func(c *curveClient) { c.greet(); c.command(c.hello()[:100]) },
		"a spoilt HELLO":         func(c *curveClient) { c.greet(); c.command(spoil(c.hello(), 150)) },
		"HELLO of version 2":     func(c *curveClient) { c.greet(); b := c.hello(); b[6] = 2; c.command(b) },
		"READY for HELLO":        func(c *curveClient) { c.greet(); c.command([]byte("\x05READY" + reqMetadata)) },
		"a message for HELLO":    func(c *curveClient) { c.greet(); c.frame(0, c.hello()) },
		"INITIATE without HELLO": func(c *curveClient) { c.greet(); c.command(c.initiate(make([]byte, 96), server[:], reqMetadata)) },
		"another cookie": func(c *curveClient) {
			c.greet()
			c.command(c.hello())
			c.command(c.initiate(spoil(c.welcomed(), 5), append(c.public[:], server[:]...), reqMetadata))
		},
		"a vouch for another key": func(c *curveClient) {
			c.greet()
			c.command(c.hello())
			c.command(c.initiate(c.welcomed(), append(spoil(c.public[:], 0), server[:]...), reqMetadata))
		},
		"a vouch for another server": func(c *curveClient) {
			c.greet()
			c.command(c.hello())
			c.command(c.initiate(c.welcomed(), append(c.public[:], spoil(server[:], 0)...), reqMetadata))
		},
		"INITIATE with HELLO's nonce": func(c *curveClient) {
			c.greet()
			c.command(c.hello())
			cookie := c.welcomed()
			c.sent = 0
			c.command(c.initiate(cookie, append(c.public[:], server[:]...), reqMetadata))
		},
		"broken metadata": func(c *curveClient) {
			c.greet()
			c.command(c.hello())
			c.command(c.initiate(c.welcomed(), append(c.public[:], server[:]...), reqMetadata[:15]))
		},
		"a socket that does not fit": func(c *curveClient) {
			c.greet()
			c.command(c.hello())
			c.command(c.initiate(c.welcomed(), append(c.public[:], server[:]...), strings.Replace(reqMetadata, "REQ", "SUB", 1)))
		},
		"a plain message":     func(c *curveClient) { c.shake(); c.frame(0, []byte("hello")) },
		"a plain command":     func(c *curveClient) { c.shake(); c.command([]byte("\x04PING\x00\x00")) },
		"a spoilt box":        func(c *curveClient) { c.shake(); c.frame(0, spoil(c.message(0, "x"), 20)) },
		"an empty box":        func(c *curveClient) { c.shake(); c.frame(0, []byte("\x07MESSAGE")) },
		"a repeated box":      func(c *curveClient) { c.shake(); b := c.message(boxMore, "x"); c.frame(0, b); c.frame(0, b) },
		"flags outside":       func(c *curveClient) { c.shake(); c.frame(flagMore, c.message(0, "x")) },
		"flags that exclude":  func(c *curveClient) { c.shake(); c.frame(0, c.message(boxMore|boxCommand, "x")) },
		"a box of 2 GB":       func(c *curveClient) { c.shake(); c.write("\x02\x00\x00\x00\x00\x80\x00\x00\x00") },
		"a malformed command": func(c *curveClient) { c.shake(); c.frame(0, c.message(boxCommand, "\x09")) },
	} {
		t.Run(name, func(t *testing.T) {
			c := curveDial(t, e.socket)
			try(c)
			c.closed(3 * time.Second)
			good.frame(0, good.message(0, "still"))
			if got := good.receive(); got != "0still" {
				t.Errorf("the healthy client got %q", got)
			}
		})
	}
}

// FuzzCurve feeds bytes to a server that waits for each step of the handshake, and, in a box that opens, to its
// framing.
func FuzzCurve(f *testing.F) {
	keys := testKeys(f)
	f.Add([]byte("\x05HELLO\x01\x00"), byte(0))
	f.Add(append([]byte("\x08INITIATE"), make([]byte, 300)...), byte(1))
	f.Add([]byte("\x04PING\x00\x00"), byte(2))
	f.Fuzz(func(t *testing.T, data []byte, flags byte) {
		var wire bytes.Buffer
		w := bufio.NewWriter(&wire)
		writeFrame(w, flagCommand, data)
		w.Flush()
		if _, _, err := curveHandshake(bufio.NewReader(&wire), io.Discard, keys); err == nil {
			t.Error("let in")
		}
		wire.Reset()
		client := &curveFraming{}
		n := client.next()
		sealed := append([]byte("\x07MESSAGE"), n[:]...)
		sealed = box.SealAfterPrecomputation(sealed, append([]byte{flags}, data...), nonce("CurveZMQMESSAGEC", n[:]), &client.shared)
		writeFrame(w, 0, sealed)
		w.Flush()
		got, body, err := (&curveFraming{}).read(bufio.NewReader(&wire), 1<<20, nil)
		if err == nil && (!bytes.Equal(body, data) || checkFlags(got) != nil) {
			t.Errorf("%q came back as %q with flags %x", data, body, got)
		}
	})
}
