package supervise

import (
	"io"
	"net"
	"os"
	"reflect"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
)

// pipes are functions that cells call in the place of those that make pipes, so that who waits at one can be ended, and
// of those of package reflect that wait for channels.
func (s *Supervisor) pipes() map[string]any {
	return map[string]any{
		"io.Pipe": func() (*io.PipeReader, *io.PipeWriter) {
			r, w := io.Pipe()
			keepPipe(s, w, func(w *io.PipeWriter) { w.Close() })
			return r, w
		},
		"net.Pipe": func() (net.Conn, net.Conn) {
			a, b := net.Pipe()
			t := reflect.TypeOf(a).Elem()
			keepPipe(s, (*byte)(reflect.ValueOf(a).UnsafePointer()), func(p *byte) {
				reflect.NewAt(t, unsafe.Pointer(p)).Interface().(net.Conn).Close()
			})
			return a, b
		},
		"os.Pipe": func() (r, w *os.File, err error) {
			if r, w, err = os.Pipe(); err == nil {
				keepPipe(s, r, func(f *os.File) { f.Close() })
				keepPipe(s, w, func(f *os.File) { f.Close() })
			}
			return r, w, err
		},
		"reflect.Select": s.reflectSelect,
		"(reflect.Value).Recv": func(v reflect.Value) (reflect.Value, bool) {
			if !isChan(v, reflect.RecvDir) {
				return v.Recv()
			}
			_, got, ok := s.reflectSelect([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: v}})
			if !ok {
				got = reflect.Zero(v.Type().Elem())
			}
			return got, ok
		},
		"(reflect.Value).Send": func(v, x reflect.Value) {
			if !isChan(v, reflect.SendDir) || !x.IsValid() || !x.Type().AssignableTo(v.Type().Elem()) {
				v.Send(x)
				return
			}
			s.reflectSelect([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: v, Send: x}})
		},
	}
}

// keepPipe keeps a pipe that a cell has made.
func keepPipe[T any](s *Supervisor, p *T, close func(*T)) {
	keepOpen(s, p, &opened{text: "pipe", pipe: true}, func(*T) bool { return true }, close)
}

func isChan(v reflect.Value, dir reflect.ChanDir) bool {
	return v.IsValid() && v.Kind() == reflect.Chan && v.Type().ChanDir()&dir != 0
}

// maxCases is the largest number of cases that reflect.Select takes.
const maxCases = 65536

// reflectSelect is reflect.Select, which ends when the calling goroutine must end.
func (s *Supervisor) reflectSelect(cases []reflect.SelectCase) (int, reflect.Value, bool) {
	c := s.owners.of(golabel.Current())
	if c == nil || len(cases) >= maxCases {
		return reflect.Select(cases)
	}
	for _, one := range cases {
		if one.Dir == reflect.SelectDefault {
			return reflect.Select(cases)
		}
	}
	ending := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c.quit)}
	i, v, ok := reflect.Select(append(cases[:len(cases):len(cases)], ending))
	if i == len(cases) {
		c.run.stopHere(c.run.where)
	}
	return i, v, ok
}
