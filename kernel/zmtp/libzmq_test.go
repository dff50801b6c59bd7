package zmtp

import (
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// TestLibzmq lets libzmq itself, through pyzmq, be the judge. Its assertions are in testdata/libzmq.py.
func TestLibzmq(t *testing.T) {
	t.Parallel()
	python := judges.Python(t, "zmq")
	dir := t.TempDir()
	for _, tt := range []struct {
		name, transport string
		endpoint        func(name string) string
		key             []string
		opts            Options
	}{
		{"tcp", "tcp", func(string) string { return "tcp://127.0.0.1:0" }, nil, Options{}},
		{"ipc", "ipc", func(name string) string { return "ipc://" + filepath.Join(dir, name) }, nil, Options{}},
		{"curve", "tcp", func(string) string { return "tcp://127.0.0.1:0" }, []string{testPublic}, Options{Curve: testKeys(t)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := ListenRouter(tt.endpoint("r"), tt.opts)
			require.NoError(t, err)
			defer r.Close()
			p, err := ListenPub(tt.endpoint("p"), tt.opts, func(topic []byte) Message { return Message{topic, []byte("welcome")} })
			require.NoError(t, err)
			defer p.Close()
			e, err := ListenEcho(tt.endpoint("e"), tt.opts)
			require.NoError(t, err)
			defer e.Close()
			var wg sync.WaitGroup
			wg.Go(func() {
				for {
					req, err := r.Recv()
					if err != nil {
						return
					}
					if string(req.Frames[0]) == "publish" {
						p.Publish(req.Frames[1:])
					}
					r.Send(req.Peer, append(Message{[]byte(req.Peer)}, req.Frames...))
				}
			})
			at := func(s *socket) string { return tt.transport + "://" + s.Addr().String() }
			out, err := exec.Command(python, append([]string{"testdata/libzmq.py", at(r.socket), at(p.socket), at(e.socket)}, tt.key...)...).CombinedOutput()
			t.Logf("%s", out)
			assert.NoError(t, err)
			r.Close()
			wg.Wait()
		})
	}
}
