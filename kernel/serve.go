package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/widgets"
	"github.com/arrayrepl/arrayrepl/kernel/zmtp"
)

// Options is how Serve presents itself and what it takes over of the process.
type Options struct {
	// Implementation and Version name the kernel in kernel_info_reply.
	Implementation, Version string
	// Capture sends what is written to the file descriptors 1 and 2 to the running cell. It needs a process of its own.
	Capture bool
	// HistoryDir is where the history of cells is kept across restarts; "" keeps it in memory. Several kernels may share it.
	HistoryDir string
	// Log gets a line for what a client did wrong. Default: the standard error of the process as it was before Capture.
	Log io.Writer
}

// stopGrace is how long a running cell may take to notice that the kernel shuts down.
const stopGrace = time.Second

// kernel is one serving kernel.
type kernel struct {
	opts    Options
	session Session
	wire    *wire
	logMu   sync.Mutex

	shell, control, stdin *zmtp.Router
	iopub                 *zmtp.Pub
	heartbeat             *zmtp.Echo

	queue   *requestQueue
	capture *Capture // nil when not capturing
	history history
	count   int // of the latest stored cell; the shell goroutine's

	out atomic.Pointer[cellOutput] // of the running or the last cell

	cellMu    sync.Mutex
	interrupt context.CancelFunc // of the running cell, nil when none runs

	asker   *asker     // nil: os.Stdin is as it was
	inputMu sync.Mutex // one question at a time
	inputs  chan string

	ctx  context.Context
	stop context.CancelFunc
}

// Serve opens the sockets that the connection file names and serves s until a client asks to shut down, the process is
// told to (SIGTERM), the program that started it is gone, or ctx ends; all of these return nil. SIGINT interrupts the
// running cell. An error means that it could not begin: the connection file, or a socket that cannot be opened.
func Serve(ctx context.Context, connectionFile string, s Session, o Options) error {
	conn, err := ReadConnection(connectionFile)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	k := &kernel{opts: o, session: s, wire: newWire(conn.Key), queue: newRequestQueue(), inputs: make(chan string, 1), ctx: ctx, stop: stop}
	if o.HistoryDir != "" {
		k.history.store = &historyStore{dir: o.HistoryDir}
		defer k.history.store.close()
	}
	if err := k.listen(conn); err != nil {
		k.close()
		return err
	}
	defer k.close()
	k.out.Store(&cellOutput{k: k, ctx: ctx})
	if o.Capture {
		if k.capture, err = StartCapture(func(name, text string) { k.out.Load().Stream(name, text) }); err != nil {
			return err
		}
		defer k.capture.Close()
		if k.asker, err = newAsker(); err != nil {
			return err
		}
		defer k.asker.close()
	}
	if k.opts.Log == nil {
		k.opts.Log = os.Stderr
		if k.capture != nil {
			k.opts.Log = k.capture.Stderr()
		}
	}
	display.SetPublisher(k)
	defer display.SetPublisher(nil)
	widgets.SetSender(k)
	defer widgets.SetSender(nil)
	k.run()
	return nil
}

// listen opens the five sockets.
func (k *kernel) listen(conn Connection) (err error) {
	open := func(to **zmtp.Router, name string, port int) {
		if err == nil {
			if *to, err = zmtp.ListenRouter(conn.endpoint(port), zmtp.Options{}); err != nil {
				err = fmt.Errorf("kernel: the %s socket: %w", name, err)
			}
		}
	}
	open(&k.shell, "shell", conn.ShellPort)
	open(&k.control, "control", conn.ControlPort)
	open(&k.stdin, "stdin", conn.StdinPort)
	if err == nil {
		if k.iopub, err = zmtp.ListenPub(conn.endpoint(conn.IOPubPort), zmtp.Options{}, k.welcome); err != nil {
			err = fmt.Errorf("kernel: the iopub socket: %w", err)
		}
	}
	if err == nil {
		if k.heartbeat, err = zmtp.ListenEcho(conn.endpoint(conn.HBPort), zmtp.Options{}); err != nil {
			err = fmt.Errorf("kernel: the heartbeat socket: %w", err)
		}
	}
	return err
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
	readers.Go(func() { k.receive(k.shell, k.queue.push) })
	readers.Go(func() { k.receive(k.control, func(r *request) { k.handle(r, controlHandlers) }) })
	readers.Go(func() { k.receive(k.stdin, k.inputReply) })
	readers.Go(k.watchSignals)
	readers.Go(func() { watchParent(k.ctx, k.stop) })

	cells := make(chan struct{})
	go func() {
		defer close(cells)
		for r := k.queue.pop(k.ctx); r != nil; r = k.queue.pop(k.ctx) {
			k.handle(r, shellHandlers)
		}
	}()
	k.publish("status", nil, map[string]string{"execution_state": "starting"})
	<-k.ctx.Done()
	select {
	case <-cells:
	case <-time.After(stopGrace):
		// The cell does not return. The process is about to end and takes it along; waiting longer would only make the
		// client kill the process.
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
		if err != nil {
			ignored++
			if time.Since(reported) > time.Second {
				k.logf("a message was ignored (%d on this socket so far): %v", ignored, err)
				reported = time.Now()
			}
			continue
		}
		deliver(&request{message: m, via: from, peer: req.Peer})
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
			k.interruptCell()
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
	m, err := k.wire.encode(msgType, parent, orEmpty(metadata), content)
	if err != nil {
		k.logf("%v", err)
		return
	}
	k.iopub.Publish(append(zmtp.Message{[]byte("kernel." + k.wire.session + "." + msgType)}, m...))
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
