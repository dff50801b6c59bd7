// Package carried is what a notebook brings along to another machine: the versions of the modules that its cells fetch,
// and the files that they embed or name.
//
// A kernel can write one thing into a notebook, the outputs of its cells; so %get and %data show a [Set] as data of the
// type [MIME]. Outputs get lost when somebody clears them, so whoever saves a notebook keeps a Set in its metadata too,
// under [Key]: `arrayrepl run -o`, and Jupyter's server by the extension in install/server, which does in Python what
// [Kept] does here.
package carried

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

const (
	MIME  = "application/vnd.arrayrepl.carried+json"
	Key   = "arrayrepl"
	Limit = 1 << 20 // bytes that a file may have, compressed, to be embedded
)

// Set is what a cell, or a notebook, carries.
type Set struct {
	Modules map[string]Module `json:"modules,omitempty"` // by path
	Data    map[string]File   `json:"data,omitempty"`    // by the path from the notebook's directory, with slashes
}

// Module is a module's version and its checksum as go.sum has it.
type Module struct {
	Version string `json:"version"`
	Sum     string `json:"sum,omitempty"`
}

// File is a file by its checksum, with its content when that is small, and where it can be fetched when that is known.
type File struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Gzip   []byte `json:"gzip,omitempty"`
	URL    string `json:"url,omitempty"`
}

// Empty reports whether nothing is carried.
func (s Set) Empty() bool { return len(s.Modules)+len(s.Data) == 0 }

// Merge adds what is said later in a notebook, which counts. A file that comes again without content keeps the one that
// it had, while its checksum is the same.
func (s *Set) Merge(later Set) {
	if s.Modules == nil {
		s.Modules = map[string]Module{}
	}
	if s.Data == nil {
		s.Data = map[string]File{}
	}
	maps.Copy(s.Modules, later.Modules)
	for name, file := range later.Data {
		if old := s.Data[name]; old.SHA256 == file.SHA256 {
			if file.Gzip == nil {
				file.Gzip = old.Gzip
			}
			if file.URL == "" {
				file.URL = old.URL
			}
		}
		s.Data[name] = file
	}
}

// Agreed is what sets say with one voice: an entry of which two say different things is in none.
func Agreed(sets []Set) Set {
	var all Set
	bad := map[string]bool{}
	for _, s := range sets {
		for path, m := range s.Modules {
			have, ok := all.Modules[path]
			bad[path] = bad[path] || ok && have.Version != m.Version
		}
		for name, f := range s.Data {
			have, ok := all.Data[name]
			bad[name] = bad[name] || ok && have.SHA256 != f.SHA256
		}
		all.Merge(s)
	}
	for name := range bad {
		if bad[name] {
			delete(all.Modules, name)
			delete(all.Data, name)
		}
	}
	return all
}

var (
	dataLine = lazyregexp.New(`(?m)^[ \t]*%data[ \t]+(?:"([^"]*)"|'([^']*)'|(\S+))`)
	getLine  = lazyregexp.New(`(?m)^[ \t]*%get[ \t]`)
)

// Asked are the files that a cell's %data lines name, and whether it has a %get line.
func Asked(source string) (files []string, modules bool) {
	for _, m := range dataLine.FindAllStringSubmatch(source, -1) {
		files = append(files, m[1]+m[2]+m[3])
	}
	return files, getLine.MatchString(source)
}

// Kept is what a notebook's metadata is to have: of all that it carries what its cells still ask for, without the
// contents that its outputs show already.
func Kept(all, shown Set, sources []string) Set {
	kept := Set{Data: map[string]File{}}
	for _, src := range sources {
		files, modules := Asked(src)
		for _, name := range files {
			if f, ok := all.Data[name]; ok {
				if shown.Data[name].Gzip != nil {
					f.Gzip = nil
				}
				kept.Data[name] = f
			}
		}
		if modules {
			kept.Modules = all.Modules
		}
	}
	return kept
}

// NewFile is a file with that content, which it carries when that is small.
func NewFile(content []byte) (File, error) {
	f := File{Size: int64(len(content)), SHA256: Sum(content)}
	var b limited
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return f, err
	}
	_, err = w.Write(content)
	if err = errors.Join(err, w.Close()); errors.Is(err, errFull) {
		return f, nil
	} else if err != nil {
		return f, err
	}
	if budget.Unpacks("", int64(b.Len()), f.Size) == nil { // or it would not be unpacked
		f.Gzip = b.Bytes()
	}
	return f, nil
}

// limited keeps what is written to it, up to Limit.
type limited struct{ bytes.Buffer }

var errFull = errors.New("the file is too large to be carried")

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > Limit {
		return 0, errFull
	}
	return l.Buffer.Write(p)
}

// Sum is the SHA-256 of content, in hexadecimal digits.
func Sum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Content unpacks what the file carries. What is not what its checksum says is refused.
func (f File) Content() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(f.Gzip))
	if err != nil {
		return nil, fmt.Errorf("what the notebook carries is damaged: %s", brief.Reason(err))
	}
	if f.Size < 0 || f.Size > math.MaxInt64/2 {
		return nil, fmt.Errorf("what the notebook carries is damaged: it says that the file has %d bytes", f.Size)
	}
	if err := budget.Unpacks("the file", int64(len(f.Gzip)), f.Size); err != nil {
		return nil, err
	}
	// no more than it says, whatever the notebook's maker put in
	content, err := budget.ReadAll(io.LimitReader(r, f.Size+1), "the file", f.Size)
	if err != nil {
		return nil, fmt.Errorf("what the notebook carries is damaged: %s", brief.Reason(err))
	}
	return content, f.Check(content)
}

// Check compares content with the checksum.
func (f File) Check(content []byte) error {
	if sum := Sum(content); sum != f.SHA256 {
		return fmt.Errorf("its SHA-256 is %s, not %s: it is another file than the notebook's", Short(sum), Short(f.SHA256))
	}
	return nil
}

// Short is a checksum's beginning, for people.
func Short(sum string) string { return brief.Text(sum[:min(12, len(sum))]) + "…" }

// ModuleOf is the module of a package path among those that are carried, the one with the longest path.
func (s Set) ModuleOf(pkg string) (path string, m Module) {
	for p, one := range s.Modules {
		if (pkg == p || strings.HasPrefix(pkg, p+"/")) && len(p) > len(path) {
			path, m = p, one
		}
	}
	return path, m
}
