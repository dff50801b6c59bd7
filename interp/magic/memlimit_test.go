package magic

import (
	"errors"
	"testing"

	"github.com/arrayrepl/arrayrepl/interp"
)

func TestMemorySize(t *testing.T) {
	s := &Session{opts: Options{FreeMemory: func() int64 { return 8e9 }}}
	for arg, want := range map[string]int64{
		"500MB": 500e6, "2GB": 2e9, "1.5 g": 1.5e9, "64MiB": 64 << 20, "2097152": 2 << 20, "50%": 4e9, "off": 0, "0": 0, "OFF": 0,
		"": -1, "GB": -1, "-1GB": -1, "101%": -1, "x%": -1, "5": -1, "1e30": -1, "2 GB more": -1,
	} {
		got, err := s.memorySize(arg)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, %v, want %d", arg, got, err, want)
		}
	}
	if got := bytesText(1.5e9); got != "1.5 GB" {
		t.Error(got)
	}
}

// A cell beyond the limit fails, and a limit that is lifted lets it run.
func TestMemlimit(t *testing.T) {
	f := newFixture(t, Options{})
	defer f.session.SetMemoryLimit(0)
	f.run(1, "%memlimit 300MB")
	for i, c := range []struct{ src, want string }{
		{"big := make([]byte, 400<<20)\nlen(big)", "MemoryLimit"},
		{"%memlimit off\nbig := make([]byte, 400<<20)\nlen(big)", ""},
	} {
		_, err := f.session.Run(t.Context(), i+2, c.src)
		if kind := kindOf(err); kind != c.want {
			t.Errorf("%s: %q, %v, want %q", c.src, kind, err, c.want)
		}
	}
}

func kindOf(err error) string {
	var e *interp.Error
	errors.As(err, &e)
	if e == nil {
		return ""
	}
	return e.Kind
}
