package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/kernel/widgets"
)

// How long a process that ends may take: to go when its link is closed, and to have its last words read when somebody
// else, a program that a cell started, still holds its streams.
const (
	exitGrace  = 500 * time.Millisecond
	drainGrace = 200 * time.Millisecond
)

// What is kept of a crash's traces, and of standard error.
const (
	maxCrash = 256 << 10
	maxTail  = 16 << 10
)

// process is the session's process as the kernel sees it.
type process struct {
	link  *link
	cmd   *exec.Cmd
	in    *os.File                // the link's end; closing it ends the session
	loose func(name, text string) // text that belongs to no call

	mu      sync.Mutex
	changed sync.Cond                 // of reached and ended
	waiting map[uint64]chan<- frame   // calls without an answer
	outs    map[uint64]Output         // of calls that may still show something
	comms   map[string]widgets.Sender // that are open, by id, with whom their opening was shown or asked through
	running int                       // calls with an output and without an answer
	names   []string                  // the variables that there are
	ready   bool
	deaf    map[uint64]bool // calls of whose interrupt the session has not heard yet
	streams [2]stream
	crash   []byte // the traces that the Go runtime wrote at its end
	tail    []byte // the last that came on standard error

	exited chan struct{} // closed when the process has ended; what it wrote may still be read
	dead   chan struct{} // closed when that has been done too
	cause  *CellError    // why, set before dead is closed
}

// startProcess starts argv. What it shows without a call goes to loose; died is called when it has ended, before what
// waits for it is answered.
func startProcess(argv []string, loose func(name, text string), died func(*process)) (p *process, err error) {
	p = &process{cmd: exec.Command(argv[0], argv[1:]...), loose: loose, waiting: map[uint64]chan<- frame{}, outs: map[uint64]Output{}, comms: map[string]widgets.Sender{}, deaf: map[uint64]bool{}, exited: make(chan struct{}), dead: make(chan struct{})}
	p.changed.L = &p.mu
	p.cmd.Env = append(os.Environ(), crashEnv())
	foundFamily(p.cmd)
	var ours, theirs []*os.File
	defer func() {
		if err != nil {
			theirs = append(theirs, ours...)
		}
		for _, f := range theirs {
			f.Close()
		}
	}()
	for _, open := range []func() (r, w *os.File, err error){
		os.Pipe, os.Pipe, os.Pipe, streamPipe, streamPipe, // frames there, frames back, crashes, standard output and error
	} {
		r, w, err := open()
		if err != nil {
			return nil, err
		}
		ours, theirs = append(ours, r), append(theirs, w)
	}
	ours[0], theirs[0] = theirs[0], ours[0]
	if err := inherit(p.cmd, theirs[:3]...); err != nil {
		return nil, err
	}
	p.cmd.Stdout, p.cmd.Stderr = theirs[3], theirs[4]
	prefix := newMarkPrefix()
	if err := errors.Join(p.openStream(&p.streams[0], stdoutName, ours[3], prefix), p.openStream(&p.streams[1], stderrName, ours[4], prefix)); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	endFamily, err := family(p.cmd)
	if err != nil { // it can do without
		loose(stderrName, fmt.Sprintf("what cells start may outlive the session: %v\n", err))
	}
	p.in = ours[0]
	p.link = newLink(ours[1], p.in)
	for _, f := range append(ours[1:], p.in) {
		widen(f)
	}
	var readers sync.WaitGroup
	readers.Go(p.receive)
	readers.Go(func() { p.readCrash(ours[2]) })
	for i := range p.streams {
		readers.Go(func() { p.read(&p.streams[i]) })
	}
	p.link.send(frame{Op: opHello, Mark: prefix})
	go func() {
		err := p.cmd.Wait()
		close(p.exited)
		endFamily()
		drained := time.AfterFunc(drainGrace, func() {
			for i := range p.streams { // a program that a cell started may go on writing
				p.streams[i].reader.giveUp()
			}
			for _, f := range ours[1:] {
				f.SetReadDeadline(time.Now())
			}
		})
		readers.Wait()
		drained.Stop()
		for _, f := range ours {
			f.Close()
		}
		p.mu.Lock()
		p.cause = deathOf(err, p.tail, p.crash, p.names)
		p.mu.Unlock()
		died(p)
		close(p.dead) // then, as who hears of it may ask again at once, and is to find the next process
	}()
	return p, nil
}

// close ends the session, by force when it does not go.
func (p *process) close() {
	p.in.Close()
	select {
	case <-p.dead:
	case <-time.After(exitGrace):
		p.cmd.Process.Kill()
		<-p.dead
	}
}

// receive takes the session's frames.
func (p *process) receive() {
	for {
		f, err := p.link.receive()
		if err != nil {
			break
		}
		p.take(f)
	}
	// It is about to end. One that has only lost its link cannot be reached again.
	select {
	case <-p.exited:
	case <-time.After(exitGrace):
		p.cmd.Process.Kill()
	}
}

func (p *process) take(f frame) {
	p.await(f.Moment)
	if f.Moment > 0 {
		defer p.goOn()
	}
	p.mu.Lock()
	out, answer := p.outs[f.ID], p.waiting[f.ID]
	switch f.Op {
	case opReady:
		p.ready = true
	case opNames:
		p.names = f.Names
	case opForget:
		delete(p.outs, f.ID)
	case opHeard:
		delete(p.deaf, f.ID)
	case opDone:
		delete(p.deaf, f.ID)
		delete(p.waiting, f.ID)
		if out != nil {
			p.running--
		}
	}
	p.mu.Unlock()
	switch {
	case f.Op == opDone && answer != nil:
		answer <- f
	case f.Op == opPublish && out != nil:
		if f.Kind == "comm_open" || f.Kind == "comm_close" {
			id, _ := decodeObject(f.Body)["comm_id"].(string)
			p.noteComm(f.Kind, id, out)
		}
		publish(out, f)
	case f.Op == opAsk:
		if o, ok := out.(*cellOutput); ok {
			o.sync() // what leads to the question is to be read first
		}
		go p.ask(out, f)
	}
}

// noteComm keeps which comms are open, so that clients can be told when the process has taken them along.
func (p *process) noteComm(kind, id string, out Output) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if to, ok := out.(widgets.Sender); ok && kind == "comm_open" {
		p.comms[id] = to
	} else if kind == "comm_close" {
		delete(p.comms, id)
	}
}

// closeComms tells the clients that the open comms are not more.
func (p *process) closeComms() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, to := range p.comms {
		to.SendComm("comm_close", object{"comm_id": id, "data": object{}}, nil)
	}
}

// publish shows what the session shows.
func publish(out Output, f frame) {
	re, rewrites := out.(display.Rewriter)
	switch {
	case f.Kind == "display_data" && f.Name == "", !rewrites && f.Kind != "clear_output":
		out.Display(f.bundle())
	case f.Kind == "display_data":
		re.PublishAs(f.Name, f.bundle())
	case f.Kind == "update_display_data":
		re.Replace(f.Name, f.bundle())
	case f.Kind == "clear_output":
		if rewrites {
			re.Clear(f.Flag)
		}
	default:
		if to, ok := out.(widgets.Sender); ok {
			to.SendComm(f.Kind, decodeObject(f.Body), decodeObject(f.Meta))
		}
	}
}

// ask asks the client on behalf of a call.
func (p *process) ask(out Output, f frame) {
	answer := frame{Op: opAnswer, Number: f.Number}
	err := errors.New("the cell that asks is not known any more")
	if out != nil {
		answer.Text, err = out.Input(f.Text, f.Flag)
	}
	if errors.Is(err, context.Canceled) {
		return // the interrupt ends the question there too, and may come later than an answer would
	}
	if err != nil {
		answer.Fail = failed(err)
	}
	p.link.send(answer)
}

// stream is one of the session's streams as the kernel reads it.
type stream struct {
	demux
	reader  *pipeReader
	reached uint64 // the latest moment, at which it stops
	ended   bool
}

// openStream begins to read r.
func (p *process) openStream(s *stream, name string, r *os.File, prefix markPrefix) (err error) {
	s.demux = demux{
		prefix: prefix,
		text:   func(owner uint64, text string) { p.text(owner, name, text) },
		here: func(number uint64) bool {
			p.mu.Lock()
			s.reached = number
			p.mu.Unlock()
			p.changed.Broadcast()
			return true
		},
	}
	s.reader, err = newPipeReader(r, &s.demux)
	return err
}

// read reads a stream to its end.
func (p *process) read(s *stream) {
	s.reader.run()
	s.reader.with(s.end)
	p.mu.Lock()
	s.ended = true
	p.mu.Unlock()
	p.changed.Broadcast()
}

// await returns when the streams have been read up to the moment that a frame belongs to, where they stop; without one,
// when all that is in them has been read.
func (p *process) await(moment uint64) {
	for i := range p.streams {
		p.streams[i].reader.drain()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.streams {
		for s := &p.streams[i]; s.reached < moment && !s.ended; {
			p.changed.Wait()
		}
	}
}

// goOn lets the streams go on after a moment.
func (p *process) goOn() {
	for i := range p.streams {
		s := &p.streams[i]
		s.reader.with(s.resume)
		s.reader.drain()
	}
}

// text hands on what was printed.
func (p *process) text(owner uint64, name, text string) {
	p.mu.Lock()
	out := p.outs[owner]
	if name == stderrName {
		p.tail = append(p.tail, text...)
		p.tail = p.tail[max(0, len(p.tail)-maxTail):]
		if len(p.crash) > 0 {
			out = nowhere{} // of the crash
		}
	}
	p.mu.Unlock()
	if out == nil {
		p.loose(name, text)
		return
	}
	out.Stream(name, text)
}

// readCrash keeps what the Go runtime writes when it ends the process. It says the same on standard error, where the
// line that says why may stand alone: some of these it writes before it knows that it will end.
func (p *process) readCrash(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		p.mu.Lock()
		if len(p.crash) == 0 && n > 0 {
			for _, out := range p.outs {
				if o, ok := out.(*cellOutput); ok {
					o.retract()
				}
			}
		}
		p.crash = append(p.crash, buf[:min(n, maxCrash-len(p.crash))]...)
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// call sends a frame and returns the channel of its answer. What the call shows goes to out, which may be nil.
func (p *process) call(f frame, out Output) <-chan frame {
	answer := make(chan frame, 1)
	if f.Op == opComm {
		p.noteComm(f.Kind, f.Name, out)
	}
	p.mu.Lock()
	if out != nil {
		p.outs[f.ID] = out
		p.running++
		f.Flag = p.running > 1
	}
	p.waiting[f.ID] = answer
	p.mu.Unlock()
	if out != nil && !f.Flag {
		for i := range p.streams {
			s := &p.streams[i]
			s.reader.drain()
			s.reader.with(func() { s.owner = f.ID })
		}
	}
	if f.size() > pipeFrame {
		go p.link.send(f) // takes until the session has read it
	} else {
		p.link.send(f) // when the process is dead, dead says so
	}
	return answer
}
