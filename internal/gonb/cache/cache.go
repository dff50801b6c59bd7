// Package cache keeps the results of long computations in files, by keys, as the package of that name does in GoNB.
package cache

import (
	"encoding/gob"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Storage is a directory with results.
type Storage struct{ dir string }

const suffix = ".bin"

// New returns a storage in dir, which is made when it is not there.
func New(dir string) (*Storage, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &Storage{dir}, nil
}

func must(s *Storage, err error) *Storage {
	if err != nil {
		panic(err)
	}
	return s
}

// MustNew is New, and panics when that fails.
func MustNew(dir string) *Storage { return must(New(dir)) }

// NewInTmp returns a storage for the current directory among the temporary files.
func NewInTmp() (*Storage, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	h := fnv.New64a()
	h.Write([]byte(dir))
	return New(filepath.Join(os.TempDir(), fmt.Sprintf("gonb_cache_%X", h.Sum64())))
}

// MustNewInTmp is NewInTmp, and panics when that fails.
func MustNewInTmp() *Storage { return must(NewInTmp()) }

// HiddenCacheSubdirectory is the name of what NewHidden makes.
const HiddenCacheSubdirectory = ".gonb_cache"

// NewHidden returns a storage in a hidden directory of the current one.
func NewHidden() (*Storage, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return New(filepath.Join(dir, HiddenCacheSubdirectory))
}

// MustNewHidden is NewHidden, and panics when that fails.
func MustNewHidden() *Storage { return must(NewHidden()) }

// Default is the storage of Cache.
var Default = MustNewInTmp()

// Serializable is what writes itself; other values are written by encoding/gob.
type Serializable interface {
	CacheWrite(w io.Writer) error
	CacheRead(r io.Reader) (any, error)
}

func (s *Storage) path(key string) string { return filepath.Join(s.dir, url.PathEscape(key)+suffix) }

// Save keeps a value.
func (s *Storage) Save(key string, value any) (err error) {
	f, err := os.CreateTemp(s.dir, "new-")
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if own, ok := value.(Serializable); ok {
		err = own.CacheWrite(f)
	} else {
		err = gob.NewEncoder(f).Encode(value)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), s.path(key))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("cache: saving %q: %w", key, err)
	}
	return nil
}

// Reader returns what is kept, nil when nothing is.
func (s *Storage) Reader(key string) (io.Reader, error) {
	f, err := os.Open(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// ResetKey forgets what is kept of the key.
func (s *Storage) ResetKey(key string) error {
	if err := os.Remove(s.path(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// ListKeys lists the keys.
func (s *Storage) ListKeys() (keys []string, err error) {
	entries, err := os.ReadDir(s.dir)
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok {
			if key, err := url.PathUnescape(name); err == nil {
				keys = append(keys, key)
			}
		}
	}
	return keys, err
}

// Reset forgets all that is kept.
func (s *Storage) Reset() error {
	keys, err := s.ListKeys()
	for _, key := range keys {
		err = errors.Join(err, s.ResetKey(key))
	}
	return err
}

// ResetKey is that of Default.
func ResetKey(key string) error { return Default.ResetKey(key) }

// ListKeys is that of Default.
func ListKeys() ([]string, error) { return Default.ListKeys() }

// Reset is that of Default.
func Reset() error { return Default.Reset() }

// Cache returns what Default keeps of the key, or else the result of f, which is kept.
func Cache[T any](key string, f func() T) T { return CacheWith(Default, key, f) }

// CacheWith is Cache with a storage of one's own; nil keeps nothing.
func CacheWith[T any](s *Storage, key string, f func() T) T {
	if s == nil {
		return f()
	}
	if v, ok := load[T](s, key); ok {
		return v
	}
	v := f()
	if err := s.Save(key, v); err != nil {
		panic(err)
	}
	return v
}

// load reads what is kept; what cannot be read is made again.
func load[T any](s *Storage, key string) (value T, ok bool) {
	f, err := os.Open(s.path(key))
	if err != nil {
		return value, false
	}
	defer f.Close()
	if own, is := any(value).(Serializable); is {
		v, err := own.CacheRead(f)
		if err != nil {
			return value, false
		}
		value, ok = v.(T)
		return value, ok
	}
	return value, gob.NewDecoder(f).Decode(&value) == nil
}
