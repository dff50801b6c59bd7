package yaegi

import (
	"testing"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// TestNothingKillsTheSession: cells that would end a process end themselves alone.
func TestNothingKillsTheSession(t *testing.T) {
	late := make(chan *interp.Error, 1)
	r := newRecorderWith(t, interp.Options{Background: func(e *interp.Error) { late <- e }})
	judge.Killed(t, r.Recorder, late, true)
}

func TestInterrupt(t *testing.T) { judge.Interrupted(t, newRecorder(t).Recorder, true) }
