package supervise

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/kernel/celltest"
)

// TesterPath is the package whose function T gives cells their t.
const TesterPath = "github.com/arrayrepl/arrayrepl/kernel/celltest"

// testers has the function that t becomes.
func (s *Supervisor) testers() map[string]any {
	return map[string]any{TesterPath + ".T": func() *celltest.Tester { return celltest.Of(cellTester{s, s.mine()}) }}
}

// cellTester reports to the cell that runs where it is called; by is the one that has asked for it.
type cellTester struct {
	s  *Supervisor
	by *Run
}

// here is the cell that runs, and where.
func (t cellTester) here() (*Run, *Place) {
	if r := t.s.mine(); r != nil {
		return r, t.s.Here()
	}
	return t.by, nil
}

func (t cellTester) write(r *Run, at *Place, text string) {
	text = strings.TrimRight(text, "\n")
	if at != nil {
		if strings.Contains(text, "\n") {
			text = at.String() + ":\n" + text
		} else {
			text = at.String() + ": " + strings.TrimSpace(text)
		}
	}
	t.s.writeOf(r, stderr, []byte(text+"\n"))
}

// Log implements [celltest.Reporter].
func (t cellTester) Log(text string) {
	r, at := t.here()
	t.write(r, at, text)
}

// Fail implements [celltest.Reporter].
func (t cellTester) Fail(text string) {
	r, at := t.here()
	if text != "" {
		t.write(r, at, text)
	}
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.misses++
	if r.missed == nil {
		r.missed = at
	}
}

// FailNow implements [celltest.Reporter].
func (t cellTester) FailNow() {
	r, at := t.here()
	if r != nil {
		err := r.failedChecks("and ended the cell")
		if err == nil {
			err = &cellerror.Error{Kind: cellerror.CheckFailed, Message: "t.FailNow ended the cell", Trace: at.trace()}
		}
		r.endWith(err)
	}
	runtime.Goexit()
}

// Failed implements [celltest.Reporter].
func (t cellTester) Failed() bool {
	r, _ := t.here()
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.misses > 0
}

// Name implements [celltest.Reporter].
func (t cellTester) Name() string {
	if r, _ := t.here(); r != nil && r.cell > 0 {
		return fmt.Sprintf("cell %d", r.cell)
	}
	return "cell"
}

// FailedChecks is the error of a cell that has run with failures of t, nil of others.
func (r *Run) FailedChecks() *cellerror.Error { return r.failedChecks("") }

// failedChecks is FailedChecks, and says what they did besides.
func (r *Run) failedChecks(and string) *cellerror.Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.misses == 0 {
		return nil
	}
	message := "a check of t failed"
	if r.misses > 1 {
		message = fmt.Sprintf("%d checks of t failed; the first one:", r.misses)
	}
	if and != "" {
		message = strings.TrimSuffix(message, "; the first one:") + " " + and
	}
	return &cellerror.Error{Kind: cellerror.CheckFailed, Message: message, Trace: r.missed.trace()}
}
