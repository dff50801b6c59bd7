//go:build !nocuda

package cudabackend

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWorkerIsLostWhileItsKernelWaits: the end of the process with the driver ends the wait of a kernel for lines; the
// next launch starts another, and reads the file.
func TestWorkerIsLostWhileItsKernelWaits(t *testing.T) {
	b := newWorkerBench(t, 1, true)
	l := newFileLines(1<<16, 8)
	l.stall = make(chan struct{})
	time.AfterFunc(300*time.Millisecond, func() {
		b.process().cmd.Process.Kill()
		time.Sleep(100 * time.Millisecond)
		close(l.stall)
	})
	err := b.gather(ctx, l, 64)
	var lost *Lost
	require.True(t, errors.As(err, &lost), "%v", err)
	var serr error
	b.stream, serr = b.gpu.NewStream(0)
	require.NoError(t, serr)
	l.stall = nil
	require.NoError(t, b.gather(ctx, l, 64))
	assert.Equal(t, 1, b.gpu.Losses())
}
