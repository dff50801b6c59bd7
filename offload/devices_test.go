package offload

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// TestUseLooksForNothingElse: who uses the host, or one card, does not have a driver opened to see what else there is.
func TestUseLooksForNothingElse(t *testing.T) {
	var r device.Registry
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	r.AddFamily("card:", func() []string {
		t.Error("all cards are listed")
		return nil
	}, func(name string) (device.Device, error) {
		if name != "card:0" {
			return nil, errors.New("another is asked for")
		}
		return host.Open(0), nil
	})
	rt, err := New(&r, "host")
	require.NoError(t, err)
	require.NoError(t, rt.Use("host"))
	require.NoError(t, rt.Use("card:0"))
}
