package supervise

import (
	"crypto/rand"
	"encoding/gob"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"reflect"
	"runtime/debug"
	"testing"
	"testing/synctest"

	"github.com/arrayrepl/arrayrepl/interp/engine"
	"github.com/arrayrepl/arrayrepl/interp/internal/goerror"
	"github.com/arrayrepl/arrayrepl/interp/internal/mapguard"
)

// fatals are functions that cells call in the place of those that end the process for some arguments.
func (s *Supervisor) fatals() map[string]any {
	where := func() []engine.Frame {
		if r := s.mine(); r != nil {
			return r.where()
		}
		return nil
	}
	exit := func(code int) { s.exit(fmt.Sprintf("os.Exit(%d)", code), where) }
	all := map[string]any{
		"runtime.Breakpoint":          func() { panic(goerror.Fatal("SIGTRAP: there is no debugger that runtime.Breakpoint could call")) },
		"runtime/debug.SetMaxStack":   stackMaximum.set,
		"runtime/debug.SetMaxThreads": threadMaximum.set,
		"crypto/rand.Read":            randomBytes,
		"crypto/rand.Text":            randomText,
		"flag.Parse":                  func() { _ = parseFlags(flag.CommandLine, os.Args[1:], exit) },
		"(*flag.FlagSet).Parse":       func(f *flag.FlagSet, args []string) error { return parseFlags(f, args, exit) },
		"testing/synctest.Test": func(t *testing.T, f func(*testing.T)) {
			if t == nil {
				panic(errors.New("synctest.Test: there is no test"))
			}
			synctest.Test(t, s.GuardTest(f))
		},
		"encoding/xml.Marshal": func(v any) ([]byte, error) { return xml.Marshal(xmlEncoder.finite(v)) },
		"encoding/xml.MarshalIndent": func(v any, prefix, indent string) ([]byte, error) {
			return xml.MarshalIndent(xmlEncoder.finite(v), prefix, indent)
		},
		"(*encoding/xml.Encoder).Encode":    func(e *xml.Encoder, v any) error { return e.Encode(xmlEncoder.finite(v)) },
		"(*encoding/gob.Encoder).Encode":    func(e *gob.Encoder, v any) error { return e.Encode(gobEncoder.finite(v)) },
		"(net/url.Values).Set":              mapWrite2(url.Values.Set),
		"(net/url.Values).Add":              mapWrite2(url.Values.Add),
		"(net/url.Values).Del":              mapWrite1(url.Values.Del),
		"(net/url.Values).Get":              mapReading(url.Values.Get),
		"(net/url.Values).Has":              mapReading(url.Values.Has),
		"(net/http.Header).Set":             mapWrite2(http.Header.Set),
		"(net/http.Header).Add":             mapWrite2(http.Header.Add),
		"(net/http.Header).Del":             mapWrite1(http.Header.Del),
		"(net/http.Header).Get":             mapReading(http.Header.Get),
		"(net/http.Header).Values":          mapReading(http.Header.Values),
		"(net/textproto.MIMEHeader).Set":    mapWrite2(textproto.MIMEHeader.Set),
		"(net/textproto.MIMEHeader).Add":    mapWrite2(textproto.MIMEHeader.Add),
		"(net/textproto.MIMEHeader).Del":    mapWrite1(textproto.MIMEHeader.Del),
		"(net/textproto.MIMEHeader).Get":    mapReading(textproto.MIMEHeader.Get),
		"(net/textproto.MIMEHeader).Values": mapReading(textproto.MIMEHeader.Values),
		"(net/url.Values).Encode": func(v url.Values) string {
			defer usingMap(v, mapguard.Iterated)()
			return v.Encode()
		},
		"(net/http.Header).Clone": func(h http.Header) http.Header {
			defer usingMap(h, mapguard.Iterated)()
			return h.Clone()
		},
	}
	return all
}

// maximum is a limit of the runtime, whose excess ends the process. What the session itself needs is left to it.
type maximum struct {
	least, now int
	apply      func(int) int
}

var (
	stackMaximum  = maximum{maxStack, maxStack, debug.SetMaxStack}
	threadMaximum = maximum{10_000, 10_000, debug.SetMaxThreads}
)

// set makes n the limit, which does not count where it is less than the session needs, and returns the limit before.
func (m *maximum) set(n int) (before int) {
	before, m.now = m.now, n
	m.apply(max(n, m.least))
	return before
}

// randomBytes is crypto/rand.Read, for a Reader that cells may have replaced.
func randomBytes(b []byte) (int, error) {
	if _, err := io.ReadFull(rand.Reader, b); err != nil {
		panic(goerror.Fatal("crypto/rand: failed to read random data: " + err.Error()))
	}
	return len(b), nil
}

// randomText is crypto/rand.Text.
func randomText() string {
	text := make([]byte, 26)
	_, _ = randomBytes(text)
	for i, b := range text {
		text[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[b%32]
	}
	return string(text)
}

// parseFlags parses; flags that end the program end the cell.
func parseFlags(f *flag.FlagSet, args []string, exit func(code int)) error {
	if f == nil || f.ErrorHandling() != flag.ExitOnError {
		return f.Parse(args)
	}
	f.Init(f.Name(), flag.ContinueOnError)
	defer f.Init(f.Name(), flag.ExitOnError)
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		exit(0)
	case err != nil:
		exit(2)
	}
	return nil
}

// usingMap puts the use of a map into the table of those in use, until the function that it returns is called.
func usingMap(m any, use mapguard.Access) (end func()) {
	p := reflect.ValueOf(m).UnsafePointer()
	if p == nil {
		return func() {}
	}
	slot := mapguard.Use(p, use)
	return func() { slot.Leave(use) }
}

func mapWrite2[M ~map[string][]string](f func(M, string, string)) func(M, string, string) {
	return func(m M, key, value string) {
		defer usingMap(m, mapguard.Written)()
		f(m, key, value)
	}
}

func mapWrite1[M ~map[string][]string](f func(M, string)) func(M, string) {
	return func(m M, key string) {
		defer usingMap(m, mapguard.Written)()
		f(m, key)
	}
}

func mapReading[M ~map[string][]string, T any](f func(M, string) T) func(M, string) T {
	return func(m M, key string) T {
		defer usingMap(m, mapguard.Read)()
		return f(m, key)
	}
}
