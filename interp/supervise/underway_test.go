package supervise_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// TestAnInterruptSaysWhatGoesOn: what is computed in compiled code that cannot be asked is named where it is still
// there after the interrupt; a cell that hears it says nothing of it.
func TestAnInterruptSaysWhatGoesOn(t *testing.T) {
	s, err := interp.New(interp.Options{Underway: func() string { return "a power" }})
	require.NoError(t, err)
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"import \"math/big\"\nlen(new(big.Int).Exp(big.NewInt(3), big.NewInt(20_000_000), nil).Bits())", "interrupted; a power cannot be asked to stop: it goes on until it has its result, and keeps a processor so long"},
		{"import \"time\"\ntime.Sleep(time.Hour)", "interrupted"},
	} {
		ctx, interrupt := context.WithCancel(context.Background())
		_, err := s.RunCell(ctx, interp.Cell{Number: 1, Source: c.src, Begin: func() func() {
			time.AfterFunc(50*time.Millisecond, interrupt) // however long it took to compile
			return func() {}
		}})
		interrupt()
		require.Error(t, err)
		assert.Equal(t, c.want, err.(*interp.Error).Message)
	}
}
