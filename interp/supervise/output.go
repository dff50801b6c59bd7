package supervise

import (
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/internal/mapguard"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// The names of the streams.
const (
	stdout = "stdout"
	stderr = "stderr"
)

// The files that are the streams, whatever cells set os.Stdout and os.Stderr to.
var stdoutFile, stderrFile = os.Stdout, os.Stderr

// Redirect makes write get what cells write to a standard stream, "stdout" or "stderr", through fmt, log, print and
// println and the methods of os.Stdout and os.Stderr, with the context of the cell whose goroutine writes: also of one
// that is over. What else writes to the file descriptors, such as compiled code that was given os.Stdout, is not seen.
func (s *Supervisor) Redirect(write func(ctx context.Context, stream string, text []byte) error) {
	s.output.Store(&write)
	log.SetOutput(cellWriter{s, stderr})
}

// Stream returns where a cell that runs with ctx writes to a standard stream: for what works on a cell's behalf beside
// its code. It is a file where nothing is redirected.
func (s *Supervisor) Stream(ctx context.Context, name string) io.Writer {
	if f := s.set(name); f != nil {
		return f
	}
	to := s.output.Load()
	switch {
	case to != nil:
		return writerFunc(func(p []byte) (int, error) {
			if err := (*to)(context.WithoutCancel(ctx), name, p); err != nil {
				return 0, err
			}
			return len(p), nil
		})
	case name == stderr:
		return stderrFile
	}
	return stdoutFile
}

type writerFunc func(p []byte) (int, error)

// Write implements io.Writer.
func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// cellWriter is a stream for the cells of a session.
type cellWriter struct {
	s    *Supervisor
	name string
}

// Write implements io.Writer.
func (w cellWriter) Write(p []byte) (int, error) {
	if f := w.s.set(w.name); f != nil {
		return f.Write(p)
	}
	return w.s.writeOf(w.s.mine(), w.name, p)
}

// set is the file that a cell has put in the place of a stream, nil when none has.
func (s *Supervisor) set(name string) *os.File {
	switch {
	case name == stdout && os.Stdout != stdoutFile:
		return os.Stdout
	case name == stderr && os.Stderr != stderrFile:
		return os.Stderr
	}
	return nil
}

// writeOf writes on behalf of r, or of nobody.
func (s *Supervisor) writeOf(r *Run, name string, p []byte) (int, error) {
	to := s.output.Load()
	if to == nil {
		if name == stderr {
			return stderrFile.Write(p)
		}
		return stdoutFile.Write(p)
	}
	ctx := context.Background()
	if r != nil {
		ctx = r.ctx
	}
	if err := (*to)(ctx, name, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// routed returns the cells' stream for a file that is one, and other writers as they are.
func (s *Supervisor) routed(w io.Writer) io.Writer {
	switch f, _ := w.(*os.File); {
	case f == nil:
	case f == stdoutFile:
		return cellWriter{s, stdout}
	case f == stderrFile:
		return cellWriter{s, stderr}
	}
	return w
}

// externals are the functions that stand in for compiled ones.
func (s *Supervisor) externals() map[string]any {
	all := s.printers()
	for _, more := range []map[string]any{s.callers(), s.sockets(), s.httpServers(), s.timers(), s.locks(), s.fatals(), s.sized(), s.pipes(), s.processes(), s.testCalls(), s.testers(), s.threads()} {
		maps.Copy(all, more)
	}
	return all
}

// printers are functions that cells call in the place of fmt's and os's. They write to the cell's streams, and refuse
// values that contain themselves: fmt would follow such a value until the stack overflows, which ends the process and
// cannot be caught, as no poll is reached in compiled code. What must be evaluated to be printed is evaluated before:
// fmt makes a text of a panic in a String method, and the cell would go on.
func (s *Supervisor) printers() map[string]any {
	out := cellWriter{s, stdout}
	args, format := s.printable, s.formattable
	return map[string]any{
		"fmt.Print":    func(a ...any) (int, error) { return fmt.Fprint(out, args(a)...) },
		"fmt.Println":  func(a ...any) (int, error) { return fmt.Fprintln(out, args(a)...) },
		"fmt.Printf":   func(f string, a ...any) (int, error) { return fmt.Fprintf(out, f, format(f, a)...) },
		"fmt.Sprint":   func(a ...any) string { return fmt.Sprint(args(a)...) },
		"fmt.Sprintln": func(a ...any) string { return fmt.Sprintln(args(a)...) },
		"fmt.Sprintf":  func(f string, a ...any) string { return fmt.Sprintf(f, format(f, a)...) },
		"fmt.Errorf":   func(f string, a ...any) error { return fmt.Errorf(f, format(f, a)...) },
		"fmt.Fprint":   func(w io.Writer, a ...any) (int, error) { return fmt.Fprint(s.routed(w), args(a)...) },
		"fmt.Fprintln": func(w io.Writer, a ...any) (int, error) { return fmt.Fprintln(s.routed(w), args(a)...) },
		"fmt.Fprintf": func(w io.Writer, f string, a ...any) (int, error) {
			return fmt.Fprintf(s.routed(w), f, format(f, a)...)
		},
		"fmt.Append":   func(b []byte, a ...any) []byte { return fmt.Append(b, args(a)...) },
		"fmt.Appendln": func(b []byte, a ...any) []byte { return fmt.Appendln(b, args(a)...) },
		"fmt.Appendf":  func(b []byte, f string, a ...any) []byte { return fmt.Appendf(b, f, format(f, a)...) },

		"(*os.File).Write":       func(f *os.File, p []byte) (int, error) { return s.fileOr(f).Write(p) },
		"(*os.File).WriteString": func(f *os.File, text string) (int, error) { return s.fileOr(f).Write([]byte(text)) },
		"io.WriteString":         func(w io.Writer, text string) (int, error) { return io.WriteString(s.routed(w), text) },
	}
}

// fileOr is routed for a file that may be nil.
func (s *Supervisor) fileOr(f *os.File) io.Writer {
	if f == nil {
		return f
	}
	return s.routed(f)
}

// formattable is printable for arguments of a format: of those whose type or address alone is printed nothing is
// computed.
func (s *Supervisor) formattable(format string, args []any) []any {
	bare := bareVerbs(format)
	for i, a := range args {
		if !bare[i] {
			s.printable([]any{a})
			// which may ask for the address of the same argument
			if m := s.StillMap(a); m != nil && !strings.Contains(format, "p") {
				args = slices.Clone(args)
				args[i] = m
			}
		}
	}
	return args
}

// bareVerbs returns the arguments that a format prints with %T or %p. One with explicit indices may use an argument
// twice: it has none.
func bareVerbs(format string) map[int]bool {
	if !strings.Contains(format, "T") && !strings.Contains(format, "p") || strings.Contains(format, "[") {
		return nil
	}
	bare := map[int]bool{}
	for n := 0; ; n++ {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return bare
		}
		format = strings.TrimLeft(rest, "+-# 0123456789.*")
		n += strings.Count(rest[:len(rest)-len(format)], "*")
		switch {
		case format == "":
			return bare
		case format[0] == '%':
			n--
		case format[0] == 'T' || format[0] == 'p':
			bare[n] = true
		}
		format = format[1:]
	}
}

// StillMap returns a copy of a map, which nobody else uses, for compiled code that looks into it; nil for what is not a
// map, has a text of its own, or cannot be in use. To make it is a use, see mapguard.go.
func (s *Supervisor) StillMap(v any) any {
	m := reflect.ValueOf(v)
	if m.Kind() != reflect.Map || m.IsNil() {
		return nil
	}
	if e, ok := s.opts.Engine.(interface{ Parallel() bool }); !ok || !e.Parallel() {
		return nil
	}
	switch v.(type) {
	case fmt.Formatter, fmt.Stringer, fmt.GoStringer, error:
		return nil
	}
	defer usingMap(v, mapguard.Iterated)()
	still := reflect.MakeMapWithSize(m.Type(), m.Len())
	for it := m.MapRange(); it.Next(); {
		still.SetMapIndex(it.Key(), it.Value())
	}
	return still.Interface()
}

// printable returns args, evaluated, and panics when one of them has no end. While several goroutines execute code of
// cells, maps are copied.
func (s *Supervisor) printable(args []any) []any {
	for i, a := range args {
		if m := s.StillMap(a); m != nil {
			args = slices.Clone(args) // the slice may be the cell's
			args[i], a = m, m
		}
		if display.Endless(a) {
			panic(fmt.Errorf("a value of type %T contains itself: its text has no end", a))
		}
		s.evaluateIn(a)
	}
	return args
}
