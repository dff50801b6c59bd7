package interp

import (
	"go/types"
	"path"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/interp/internal/valuesize"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// shown is what a cell shows: the values of its last expression.
type shown struct {
	fails bool        // the last expression is a call whose last result is an error
	runes bool        // its type is written with runes
	quiet bool        // the last expression is shown only when the error that it returns is not nil
	named *types.Func // the function that the last expression names

	mu     sync.Mutex // guards what follows
	bundle display.Bundle
	values []any // that bundle shows
	size   int   // of the first
}

// newShown returns how the last expression of c is shown.
func newShown(c *checked) *shown {
	sh := &shown{quiet: c.quiet(), fails: c.fails(), runes: c.runes()}
	if c.Value != nil {
		sh.named, _ = c.named(c.Value).(*types.Func)
	}
	return sh
}

// take returns what is shown, and forgets it: goroutines of the cell may keep sh.
func (sh *shown) take() (bundle display.Bundle, values []any, size int) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	bundle, values, size = sh.bundle, sh.values, sh.size
	sh.bundle, sh.values = display.Bundle{}, nil
	return bundle, values, size
}

// show displays the values of the last expression, on the cell's goroutine: a lazy array is evaluated here.
func (s *Session) show(sh *shown, values []any) {
	if sh.quiet && values[len(values)-1] == nil {
		return
	}
	seen := values
	if n := len(values); n > 1 && sh.fails && s.opts.GoText && values[n-1] == nil {
		seen = values[:n-1] // that all went well needs no word
	}
	bundles := make([]display.Bundle, len(seen))
	how := display.Options{Runes: sh.runes, Fmt: !s.opts.GoText}
	for i, v := range seen {
		if m := s.supervisor.StillMap(v); m != nil {
			v = m
		}
		b, err := display.OfWith(v, how)
		if err != nil {
			panic(err)
		}
		if v != nil && reflect.TypeOf(v).Kind() == reflect.Func && (how.Fmt || !display.IsSequence(v)) { // who forgot to call one reads how that is done
			b.Data[display.TypeText] = s.functionText(v, sh.named, b.Text())
		}
		bundles[i] = b
	}
	size := valuesize.Of(values[0])
	sh.mu.Lock()
	sh.bundle, sh.values, sh.size = display.Join(seen, bundles, how), values, size
	sh.mu.Unlock()
}

// functionText is the declaration of the function or method that v is: the one that the cell has named, or a
// package's; of other functions text, their type.
func (s *Session) functionText(v any, named *types.Func, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if named != nil {
		return s.assistant.Declaration(named)
	}
	if code := runtime.FuncForPC(reflect.ValueOf(v).Pointer()); code != nil {
		dir, base := path.Split(code.Name())
		pkg, name, _ := strings.Cut(base, ".")
		if fn, ok := s.exported(dir+pkg, name).(*types.Func); ok {
			return s.assistant.Declaration(fn)
		}
	}
	return s.ownNames(text)
}
