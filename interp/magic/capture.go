package magic

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// writeFile is %%writefile: the rest of the cell becomes a file.
func writeFile(c *Call) (display.Bundle, error) {
	f, path, more, err := c.openFile()
	if err != nil {
		return display.Bundle{}, err
	}
	body := c.Body
	if body != "" && !strings.HasSuffix(body, "\n") { // the last line of a cell has no end
		body += "\n"
	}
	_, err = f.WriteString(body)
	if err = errors.Join(err, f.Close()); err == nil {
		c.Printf("%s %s\n", map[bool]string{false: "wrote", true: "added to"}[more], path)
	}
	return display.Bundle{}, err
}

// openFile opens the file that the argument names to be written, with -a to be written on.
func (c *Call) openFile() (f *os.File, path string, more bool, err error) {
	path, more = strings.CutPrefix(c.Arg, "-a ")
	path = expandHome(os.ExpandEnv(unquote(strings.TrimSpace(path))))
	mode := os.O_CREATE | os.O_WRONLY
	if more {
		mode |= os.O_APPEND
	} else {
		mode |= os.O_TRUNC
	}
	f, err = os.OpenFile(path, mode, 0o644)
	return f, path, more, err
}

// captureOutput is %capture: what the cell writes and displays from here on goes into a file too.
func captureOutput(c *Call) (display.Bundle, error) {
	f, _, _, err := c.openFile()
	if err != nil {
		return display.Bundle{}, err
	}
	to := &lockedWriter{w: f}
	end, err := c.divert(func(stream io.Writer) io.Writer { return io.MultiWriter(stream, to) })
	if err != nil {
		f.Close()
		return display.Bundle{}, err
	}
	c.captured = to
	unwatch := display.Watch(func(b display.Bundle) { c.capture(b) })
	c.cleanup = append(c.cleanup, func() {
		unwatch()
		end()
		f.Close()
	})
	return display.Bundle{}, nil
}

// capture writes what is shown into the file of %capture, in the form that people would read.
func (c *Call) capture(b display.Bundle) {
	if c.captured == nil || b.Empty() {
		return
	}
	for _, typ := range []string{display.TypeHTML, display.TypeMarkdown, display.TypeSVG, display.TypeText} {
		if text, ok := b.Data[typ].(string); ok {
			fmt.Fprintln(c.captured, strings.TrimSuffix(text, "\n"))
			return
		}
	}
}

// lockedWriter is a writer for several goroutines.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// divert puts pipes in the place of os.Stdout and os.Stderr until end is called, and copies what comes through them to
// what through makes of the cell's stream. So what compiled code writes and what cells print keep their order.
func (c *Call) divert(through func(stream io.Writer) io.Writer) (end func(), err error) {
	var ends []func()
	end = func() {
		for _, f := range ends {
			f()
		}
	}
	for _, file := range []struct {
		of **os.File
		to io.Writer
	}{{&os.Stdout, through(c.stdout())}, {&os.Stderr, through(c.stderr())}} {
		r, w, err := os.Pipe()
		if err != nil {
			end()
			return nil, err
		}
		was, done := *file.of, make(chan struct{})
		go func() {
			io.Copy(file.to, r)
			close(done)
		}()
		*file.of = w
		ends = append(ends, func() {
			if *file.of == w { // the cell may have set another one
				*file.of = was
			}
			w.Close()
			<-done
			r.Close()
		})
	}
	return end, nil
}

// show displays what a part of the cell gives when another follows that shows something.
func show(b display.Bundle) error {
	if b.Empty() {
		return nil
	}
	return display.Show(b)
}
