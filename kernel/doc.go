// Package kernel serves the Jupyter protocol over a [Session]: whoever can run cells and answer questions about them
// becomes a Jupyter kernel. That takes two processes. [Serve] is the one that clients know; it starts the other one,
// whose program is [ServeSession] and in which the cells run, and starts it again when a cell has brought it down.
//
// A request arrives on one of five sockets (kernel/zmtp) that a connection file names. wire.go checks its signature and
// takes it apart, queue.go keeps shell requests in order, abort.go drops those behind a failed cell, dispatch.go holds
// the table from message type to handler. One goroutine works through the shell queue, another through control, so that
// a running cell can be interrupted. Around every request go the status messages busy and idle. What a cell shows
// travels through output.go, which batches text and keeps it in order with pictures.
//
// Between the processes: link.go has the frames, process.go the kernel's side, host.go the session's. What is written
// to the file descriptors 1 and 2 comes through pipes of the kernel (streams.go writes, marks.go reads), death.go says
// why a session died, stopped.go that it cannot answer; family_*.go ends what cells have started. [Capture] redirects
// the descriptors of a process that has its session within.
//
// Protocol version 5.5 with subshells (subshell.go) and, of the debugger, what shows variables (debug.go). The
// protocol's text:
// https://jupyter-client.readthedocs.io/en/stable/messaging.html
//
// What cells read from os.Stdin is asked of the client (asker.go). The history of cells stays on disk
// (historystore.go). A message to a widget runs as a cell does (comm.go).
//
// kernel/notebook runs .ipynb files through the same Session without any socket; kernel/display says what a result is;
// kernel/widgets has the comms and what is drawn through them.
//
// The package must never know what language a session speaks, nor what an array is. What crosses Session is plain data,
// so that the session can live in another process.
package kernel
