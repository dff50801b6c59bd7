package kernel

import (
	"os"
	"sync"
)

// streams is standard output and standard error as a session's process writes them: text with marks in it. What is
// written to the file descriptors 1 and 2, by whomever, stands in order with what goes through here.
type streams struct {
	prefix markPrefix

	mu    sync.Mutex // held over each write: marks of both streams come in one order
	owner uint64     // the cell that the reader takes text without a mark for; 0 between cells
	count uint64     // of moments
}

// stdoutName and stderrName are how the protocol calls the streams.
const (
	stdoutName = "stdout"
	stderrName = "stderr"
)

// file is where a stream goes. os.Stdout and os.Stderr may be others: cells may set them.
func streamFile(name string) *os.File {
	if name == stderrName {
		return processStderr
	}
	return processStdout
}

var processStdout, processStderr = os.Stdout, os.Stderr

// keepStreams makes the streams ones of the session's own: what it writes goes on when a cell closes os.Stdout or a
// descriptor.
func keepStreams() error {
	out, err := ownFile(os.Stdout)
	if err != nil {
		return err
	}
	errs, err := ownFile(os.Stderr)
	if err != nil {
		return err
	}
	processStdout, processStderr = out, errs
	return nil
}

// write writes text of the cell owner, 0 for one that is not known.
func (s *streams) write(owner uint64, name string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := streamFile(name)
	if owner == s.owner || owner == 0 {
		_, err := f.Write(text)
		return err
	}
	for _, piece := range s.prefix.span(owner, text) {
		if _, err := f.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// own says whose text without a mark is from now on. The reader is told by a mark unless it knows.
func (s *streams) own(owner uint64, tell bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owner = owner
	if tell || !pipesDrain {
		s.both(s.prefix.mark(markOwner, owner))
	}
}

// here marks this moment in both streams and returns its number.
func (s *streams) here() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	s.both(s.prefix.mark(markHere, s.count))
	return s.count
}

func (s *streams) both(mark []byte) {
	processStdout.Write(mark)
	processStderr.Write(mark)
}
