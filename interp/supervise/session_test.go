package supervise_test

import (
	"reflect"
	"runtime/debug"
	"testing"

	inChild "github.com/arrayrepl/arrayrepl/internal/alone"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/supervise"
)

// What is supervised here are sessions, whose cells have all that cells may have.

func TestMain(m *testing.M) { testsize.Main(m, 400) }

// recorder runs cells and collects what they print and show.
type recorder struct {
	*judge.Recorder
	session *interp.Session
}

func newRecorder(t testing.TB, opts interp.Options) *recorder {
	t.Helper()
	s, err := interp.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &recorder{judge.Record(t, s), s}
}

// supervisorOf returns the supervisor of a session.
func supervisorOf(s *interp.Session) *supervise.Supervisor {
	return (*supervise.Supervisor)(reflect.ValueOf(s).Elem().FieldByName("supervisor").UnsafePointer())
}

// alone runs the test in a process of its own, and reports false where it has done so. It collects as users' sessions
// do: TestMain has the other tests collect less often.
func alone(t *testing.T) bool {
	t.Helper()
	if !inChild.Here(t) {
		return false
	}
	debug.SetGCPercent(100)
	return true
}
