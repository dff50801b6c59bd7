package symbols_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/docs"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/kernels"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	devices "github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

// The code of the page about streams runs from top to bottom in one session, its first ten blocks are a ray tracer, and
// each line shows what the comment after it says.
func TestPageOfStreams(t *testing.T) {
	testsize.InTurn(t, 1)
	symbols.Register()
	r := new(devices.Registry)
	r.Add("host", func() (devices.Device, error) { return host.Open(0), nil })
	rt, err := offload.New(r, "host")
	require.NoError(t, err)
	np.Wiring{}.SetRuntime(rt)
	t.Cleanup(func() { np.Wiring{}.SetRuntime(nil) })
	s, err := interp.New(interp.Options{Engine: ixgo.New(), Packages: symbols.Packages(), Arrays: symbols.Arrays(), Functions: kernels.Functions{}})
	require.NoError(t, err)
	defer s.Close()
	cells := judge.Record(t, s)
	page, ok := docs.Page("streams")
	require.True(t, ok)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(page, -1)
	require.Greater(t, len(blocks), 10)
	shown, compared, number := regexp.MustCompile(`// (\S*[\[{\d].*)$`), 0, 0
	for i, b := range blocks {
		src, got := "", ""
		for _, line := range strings.Split(strings.TrimSpace(b[1]), "\n") {
			src += line + "\n"
			if strings.Count(src, "{") > strings.Count(src, "}") { // a function goes on
				continue
			}
			number++
			got = cells.Run(number, src)
			require.NotRegexp(t, `panic|cell \d+`, got, src)
			m := shown.FindStringSubmatch(line)
			if m != nil && got != "" && !strings.HasPrefix(m[1], "[]") { // Go's slices look otherwise in a session of these tests
				require.Equal(t, m[1], strings.Join(strings.Fields(got), " "), src)
				compared++
			}
			src = ""
		}
		if i == 9 {
			require.Contains(t, got, "Image", "the picture")
		}
	}
	require.Greater(t, compared, 10)
}
