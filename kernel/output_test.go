package kernel

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTheFirstLineOfACrashIsTakenBack: on a busy machine the Go runtime takes its time between the line that says why a
// process ends and the rest, by which the kernel knows that it ends.
func TestTheFirstLineOfACrashIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &cellOutput{attended: true} // without a kernel: to send anything would be a fault
		o.Stream(stderrName, "fatal error: sync: unlock of unlocked mutex\n")
		time.Sleep(crashTime / 2)
		waits := func() (text string, armed bool) {
			o.mu.Lock()
			defer o.mu.Unlock()
			return string(o.text), o.armed
		}
		text, _ := waits()
		require.NotEmpty(t, text)
		o.retract()
		time.Sleep(2 * crashTime)
		text, armed := waits()
		require.Empty(t, text)
		require.False(t, armed)
	})
}
