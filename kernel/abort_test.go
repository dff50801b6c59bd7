package kernel

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Who sends one cell after the other is not kept waiting for what it might have sent behind a failed one.
func TestFailedCellsOneByOne(t *testing.T) {
	c := startKernel(t)
	c.run("1 + 1")
	start := time.Now()
	const n = 100
	for range n {
		m, _ := c.run(`panic("boom")`)
		require.Equal(t, "error", m.str("status"))
		m, _ = c.run("1 + 1") // sent after the failure was known
		require.Equal(t, "ok", m.str("status"))
	}
	require.Less(t, time.Since(start), n*abortGrace) // which they all waited for, and the good ones took time too
}

func TestSentBeforeTheFailureWasTold(t *testing.T) {
	at := func(text string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, text)
		require.NoError(t, err)
		return v
	}
	// The client's clock is a minute behind.
	f := failedCell{peer: "me", sent: at("2026-01-01T00:00:00.000500Z"), arrived: at("2026-01-01T00:01:00.001Z"), told: at("2026-01-01T00:01:00.011Z")}
	for _, c := range []struct {
		date, peer, typ string
		after           time.Duration // that it arrived after the failure was told
		want            bool
	}{
		{"2026-01-01T00:00:00.002000Z", "me", "execute_request", time.Millisecond, true},
		{"2026-01-01T00:00:00.010400Z", "me", "execute_request", time.Millisecond, true},
		{"2026-01-01T00:00:00.012000Z", "me", "execute_request", time.Millisecond, false},
		{"2026-01-01T00:00:00.002Z", "me", "execute_request", time.Millisecond, true},
		// of such a unit it might be later
		{"2026-01-01T00:00:00.009Z", "me", "execute_request", time.Millisecond, false},
		{"2026-01-01T00:00:00.002000+00:00", "me", "execute_request", time.Millisecond, true},
		{"2026-01-01T00:00:00.002000Z", "other", "execute_request", time.Millisecond, false},
		{"2026-01-01T00:00:00.002000Z", "me", "complete_request", time.Millisecond, false},
		{"2026-01-01T00:00:00.002000Z", "me", "execute_request", time.Second, false},
		{"", "me", "execute_request", time.Millisecond, false},
		{"yesterday", "me", "execute_request", time.Millisecond, false},
	} {
		r := &request{message: &message{header: header{Date: c.date, Type: c.typ}}, peer: c.peer, arrived: f.told.Add(c.after)}
		require.Equal(t, c.want, f.unknownTo(r), "%+v", c)
	}
}

// What was sent together with a cell that fails at once is aborted, though it comes later.
func TestAbortsWhatIsOnItsWay(t *testing.T) {
	c := startKernel(t)
	bad, err := c.wire.encode("execute_request", nil, nil, object{"code": `panic("boom")`})
	require.NoError(t, err)
	good, err := c.wire.encode("execute_request", nil, nil, object{"code": "1 + 1"})
	require.NoError(t, err)
	var h header
	require.NoError(t, json.Unmarshal(good[2], &h))
	c.shell.write(bad)
	require.Equal(t, "error", c.recv(c.shell).str("status"))
	c.shell.write(good)
	require.Equal(t, "aborted", c.recv(c.shell).str("status"), h.Date)
	m, _ := c.run("1 + 1")
	require.Equal(t, "ok", m.str("status"))
}
