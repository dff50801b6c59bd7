package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// Options is how Serve presents itself and what it takes over of the process.
type Options struct {
	// Implementation and Version name the kernel in kernel_info_reply.
	Implementation, Version string
	// Session is the command that runs the session: a program that calls [ServeSession].
	Session []string
	// Language is what cells are written in.
	Language Language
	// HistoryDir is where the history of cells is kept across restarts; "" keeps it in memory. Several kernels may
	// share it.
	HistoryDir string
	// Opened are sockets that listen already, by port of the connection file; Serve takes them over. What is not there
	// it opens.
	Opened map[int]*os.File
	// CommsBeside has comm messages of clients answered while cells run, and not between them as Jupyter's kernels do.
	CommsBeside bool
	// Log gets a line for what a client did wrong, and what the Go runtime said when the session died. Default:
	// os.Stderr.
	Log io.Writer
}

// stopGrace is how long a running cell may take to notice that the kernel shuts down.
const stopGrace = time.Second

// kernel is one serving kernel.
type kernel struct {
	opts    Options
	session *remote
	wire    *wire
	trimmer trimmer
	logMu   sync.Mutex

	shell, control, stdin *zmtp.Router
	iopub                 *zmtp.Pub
	heartbeat             *zmtp.Echo

	queue     *requestQueue // of the main shell
	comms     *requestQueue // of comm messages that are answered beside cells; nil when they wait in the main shell
	shellsMu  sync.Mutex
	subshells map[string]*requestQueue
	shells    sync.WaitGroup // those who work through the queues

	recordMu sync.Mutex // guards what follows
	history  history
	count    int // of the latest stored cell

	out  atomic.Pointer[cellOutput] // of the cell that began last
	late lateOutput

	cellMu sync.Mutex
	cells  map[*cellOutput]context.CancelFunc // that run, with what interrupts them

	debugs    *requestQueue // debug messages: the session answers them
	debugging debugging

	inputMu sync.Mutex // one question at a time
	inputs  chan string

	ctx  context.Context
	stop context.CancelFunc
}

// Serve opens the sockets that the connection file names, starts the session in a process of its own, and serves it
// until a client asks to shut down, the process is told to (SIGTERM), the program that started it is gone, or ctx ends;
// all of these return nil. SIGINT interrupts the running cells. An error means that it could not begin: the connection
// file, or a socket that cannot be opened. It does not wait for the session to be ready, and a session that dies is
// replaced by a new one.
func Serve(ctx context.Context, connectionFile string, o Options) error {
	if o.Log == nil {
		o.Log = os.Stderr
	}
	k := &kernel{opts: o, queue: newRequestQueue(), debugs: newRequestQueue(), subshells: map[string]*requestQueue{}, inputs: make(chan string, 1), cells: map[*cellOutput]context.CancelFunc{}}
	k.out.Store(&cellOutput{k: k, attended: true})
	k.session = &remote{argv: o.Session, language: o.Language, log: k.logf, loose: func(name, text string) { k.out.Load().Stream(name, text) }}
	if o.CommsBeside {
		k.comms = newRequestQueue()
	}
	conn, err := ReadConnection(connectionFile)
	if err != nil {
		return err
	}
	k.wire = newWire(conn.Key)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	k.ctx, k.stop = ctx, stop
	if o.HistoryDir != "" {
		k.history.store = &historyStore{dir: o.HistoryDir}
		defer k.history.store.close()
	}
	if err := k.listen(conn); err != nil {
		k.close()
		return err
	}
	defer k.close()
	k.session.start()
	defer k.session.close()
	k.run()
	if text := k.late.rest(); text != "" {
		k.logf("after the last cell had ended, goroutines of cells wrote:\n%s", strings.TrimSuffix(text, "\n"))
	}
	return nil
}

// What may have arrived on all sockets without being verified: together, and from connections that have never sent a
// message with a valid signature. The first is above twice the largest message, which is copied once as it grows.
const (
	maxUnverified = 1 << 30
	maxStrangers  = 64 << 20
)

// listen opens the five sockets.
func (k *kernel) listen(conn Connection) (err error) {
	intake := zmtp.NewIntake(maxUnverified, maxStrangers, k.trimmer.freed)
	options := func(port int) zmtp.Options {
		return zmtp.Options{Curve: conn.curve, Listener: k.opened(port), Intake: intake}
	}
	open := func(to **zmtp.Router, name string, port int) {
		if err == nil {
			if *to, err = zmtp.ListenRouter(conn.endpoint(port), options(port)); err != nil {
				err = fmt.Errorf("kernel: the %s socket: %w", name, err)
			}
		}
	}
	open(&k.shell, "shell", conn.ShellPort)
	open(&k.control, "control", conn.ControlPort)
	open(&k.stdin, "stdin", conn.StdinPort)
	if err == nil {
		if k.iopub, err = zmtp.ListenPub(conn.endpoint(conn.IOPubPort), options(conn.IOPubPort), k.welcome); err != nil {
			err = fmt.Errorf("kernel: the iopub socket: %w", err)
		}
	}
	if err == nil {
		if k.heartbeat, err = zmtp.ListenEcho(conn.endpoint(conn.HBPort), options(conn.HBPort)); err != nil {
			err = fmt.Errorf("kernel: the heartbeat socket: %w", err)
		}
	}
	return err
}

// opened is the listener of a port that was open before, nil for none.
func (k *kernel) opened(port int) net.Listener {
	f := k.opts.Opened[port]
	if f == nil {
		return nil
	}
	defer f.Close()
	ln, err := net.FileListener(f)
	if err != nil {
		return nil // it is opened anew
	}
	return ln
}

// close closes the open sockets, all at once: each may linger for a slow client.
func (k *kernel) close() {
	var wg sync.WaitGroup
	for _, r := range []*zmtp.Router{k.shell, k.control, k.stdin} {
		if r != nil {
			wg.Go(func() { r.Close() })
		}
	}
	if k.iopub != nil {
		wg.Go(func() { k.iopub.Close() })
	}
	if k.heartbeat != nil {
		wg.Go(func() { k.heartbeat.Close() })
	}
	wg.Wait()
}

// run serves until k.ctx ends.
func (k *kernel) run() {
	var readers sync.WaitGroup
	readers.Go(func() { k.receive(k.shell, k.enqueue) })
	readers.Go(func() { k.receive(k.control, k.takeControl) })
	readers.Go(func() { k.receive(k.stdin, k.inputReply) })
	readers.Go(k.watchSignals)
	readers.Go(k.watchUse)
	readers.Go(func() { watchParent(k.ctx, k.stop) })

	k.shells.Go(func() { k.work(k.queue) })
	if k.comms != nil {
		k.shells.Go(k.workComms)
	}
	k.shells.Go(k.workDebug)
	k.publish("status", nil, map[string]string{"execution_state": "starting"})
	<-k.ctx.Done()
	k.shellsMu.Lock()
	k.subshells = nil
	k.shellsMu.Unlock()
	cells := make(chan struct{})
	go func() {
		k.shells.Wait()
		close(cells)
	}()
	select {
	case <-cells:
	case <-time.After(stopGrace):
		// The cell does not return. Its process is about to end and takes it along; waiting longer would only make the
		// client kill this one.
	}
	k.close()
	readers.Wait()
}

// receive hands on the valid requests of one socket until it closes. It reports bad ones once a second at most: whoever
// sends them must not fill the server's log.
func (k *kernel) receive(from *zmtp.Router, deliver func(*request)) {
	var ignored int
	var reported time.Time
	for {
		req, err := from.Recv()
		if err != nil {
			return
		}
		m, err := k.wire.decode(req.Frames)
		req.Done(err == nil)
		if err != nil {
			ignored++
			if time.Since(reported) > time.Second {
				k.logf("a message was ignored (%d on this socket so far): %v", ignored, err)
				reported = time.Now()
			}
			continue
		}
		deliver(&request{message: m, via: from, peer: req.Peer, arrived: time.Now()})
	}
}

// watchSignals turns SIGINT into an interrupt: jupyter's default for kernels that do not ask for messages, and Ctrl-C.
func (k *kernel) watchSignals() {
	sig := make(chan os.Signal, 1)
	signal.Notify(sig, os.Interrupt)
	defer signal.Stop(sig)
	for {
		select {
		case <-sig:
			k.interruptCells()
		case <-k.ctx.Done():
			return
		}
	}
}

// publish sends a message to all subscribers. parent is the header of the request that it belongs to.
func (k *kernel) publish(msgType string, parent json.RawMessage, content any) {
	k.publishWith(msgType, parent, nil, content)
}

// publishWith is publish for a message with metadata.
func (k *kernel) publishWith(msgType string, parent json.RawMessage, metadata map[string]any, content any) {
	if m := k.publication(msgType, parent, metadata, content); m != nil {
		k.iopub.Publish(m)
	}
}

// publishFor is publish on behalf of a request. One on control is answered without waiting for subscribers.
func (k *kernel) publishFor(r *request, msgType string, content any) {
	switch m := k.publication(msgType, r.rawHeader, nil, content); {
	case m == nil:
	case r.via == k.control:
		k.iopub.PublishNow(m)
	default:
		k.iopub.Publish(m)
	}
}

// publication is a message for subscribers, nil when its content cannot be encoded.
func (k *kernel) publication(msgType string, parent json.RawMessage, metadata map[string]any, content any) zmtp.Message {
	var meta any
	if len(metadata) > 0 {
		meta = metadata
	}
	m, err := k.wire.encode(msgType, parent, meta, content)
	if err != nil {
		k.logf("%v", err)
		return nil
	}
	k.trimmer.freed(int64(m.Size()))
	return append(zmtp.Message{[]byte("kernel." + k.wire.session + "." + msgType)}, m...)
}

// welcome is what a new subscriber gets first: it then knows that it misses nothing from here on.
func (k *kernel) welcome(topic []byte) zmtp.Message {
	m, err := k.wire.encode("iopub_welcome", nil, nil, map[string]string{"subscription": string(topic)})
	if err != nil {
		panic(err) // two strings encode
	}
	return append(zmtp.Message{topic}, m...)
}

// logf writes one line for the person who runs the server.
func (k *kernel) logf(format string, args ...any) {
	k.logMu.Lock()
	defer k.logMu.Unlock()
	fmt.Fprintf(k.opts.Log, "kernel: "+format+"\n", args...)
}
