package budget

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// How many bytes a file may have at most.
const (
	SmallFile = 1 << 20 // one of settings: a connection file, a machine
	// one of code, or a list of lines that is kept; the largest files of the standard library have a hundredth
	SourceFile = 64 << 20
)

// ReadFile reads a file as [os.ReadFile] does, and asks before it takes memory. What names it, as "the notebook". It
// may have at most so many bytes; with 0, as many as there is memory for. A device or a pipe without an end is an
// error, too.
func ReadFile(path, what string, most int64) ([]byte, error) {
	return ReadFileThrough(path, what, most, func(r io.Reader) io.Reader { return r })
}

// ReadFileThrough is [ReadFile] with a reader around the file's, as one that asks whether to go on.
func ReadFileThrough(path, what string, most int64, around func(io.Reader) io.Reader) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := int64(0) // of a pipe, a device, or a file of /proc
	if info.Mode().IsRegular() {
		size = info.Size()
	}
	if most > 0 && size > most {
		return nil, tooLarge(what, most)
	}
	var from io.Reader = f
	if most > 0 {
		from = io.LimitReader(f, most+1)
	}
	b, err := ReadAll(around(from), what, size)
	if err == nil && most > 0 && int64(len(b)) > most {
		return nil, tooLarge(what, most)
	}
	return b, err
}

// ReadRegular is [ReadFile] for a file that is not a device and no pipe: waiting for those could take for ever. most is
// not 0.
func ReadRegular(path, what string, most int64) ([]byte, error) {
	if err := Regular(path, what, most); err != nil {
		return nil, err
	}
	return ReadFile(path, what, most)
}

// Regular returns an error of a path that is not a file which [ReadRegular] would read, without opening it.
func Regular(path, what string, most int64) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		kind := "a device"
		switch mode := info.Mode(); {
		case mode.IsDir():
			kind = "a directory"
		case mode&os.ModeNamedPipe != 0:
			kind = "a pipe"
		case mode&os.ModeSocket != 0:
			kind = "a socket"
		}
		return fmt.Errorf("%s is %s, not a file", what, kind)
	case info.Size() > most:
		return tooLarge(what, most)
	}
	return nil
}

// RegularFiles returns an error when one of the files that a pattern of [filepath.Glob] matches is none that
// [ReadRegular] would read. Packages of the standard library, such as go/build, read files of code without asking.
func RegularFiles(pattern string, most int64) error {
	files, _ := filepath.Glob(pattern)
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			continue // they pass over it
		}
		if err := Regular(file, file, most); err != nil {
			return err
		}
	}
	return nil
}

func tooLarge(what string, most int64) error {
	return fmt.Errorf("%s is larger than %s, the most that is read", what, Bytes(most))
}

// What decoding JSON into values of any kind takes, measured with encoding/json of Go 1.26.
const (
	perObject  = 350 // the map of an object and its first group of entries
	perElement = 64  // an element of a list, or the list itself, while the list grows
)

// Nesting is how deep lists and objects of a JSON text may lie in each other. Python, with which Jupyter reads
// notebooks and messages, ends there too; each level of a text that is written with indentation takes as many spaces on
// each of its lines.
const Nesting = 1000

// JSON returns an error when there is no memory for the values of a JSON text, decoded whole, or when they are nested
// deeper than [Nesting]. Lists of small numbers and of empty objects take up to a hundred times the text. ask, where
// it is not nil, is called every few milliseconds, and may panic.
func JSON(what string, text []byte, ask func()) error {
	if len(text) <= Nesting {
		return nil
	}
	objects, elements, depth, quoted := int64(0), int64(0), 0, false
	next := 0
	for i := 0; i < len(text); i++ {
		if ask != nil && i >= next {
			next = i + 1<<20
			ask()
		}
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > Nesting {
				return fmt.Errorf("%s has lists or objects that are nested deeper than %d", what, Nesting)
			}
			if c == '{' {
				objects++
			} else {
				elements++
			}
		case c == '}' || c == ']':
			depth--
		case c == ',' || c == ':':
			elements++
		}
	}
	return For(what, 2*int64(len(text))+perObject*objects+perElement*elements)
}
