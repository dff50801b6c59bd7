package gosrc

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Brook is the import path of the package whose types are streams that kernels gather from.
const Brook = "github.com/arrayrepl/arrayrepl/gpu/brook"

// Streaming is a Go function of elements of streams, with any number of results, that can be put into kernels.
type Streaming struct {
	Name    string
	Params  []StreamValue
	Results []StreamValue
	// Indexes are the parameters whose places the function asks for, by brook.IndexOf: their numbers, ascending; -1
	// stands for the results
	Indexes []int
	kept    sync.Map
	emit    func(b *kir.Builder, args []*kir.Value, h StreamHooks) ([]*kir.Value, error)
}

// StreamHooks are what the caller of [Streaming.Emit] puts into the function, and hears of it.
type StreamHooks struct {
	Emitted func(parts []*kir.Value) // emits code without branches where the function emits a value
	Vectors func(made []*kir.Value)  // is told what a method of a vector has emitted: one instruction of a vector machine

	// Index returns the place of the element that parameter number param has, as four int32: along the last axis, along
	// the one before, and so on; of -1 that of the results. It is asked for those of [Streaming.Indexes].
	Index func(param int) [4]*kir.Value
}

// StreamValue is a parameter or a result of a [Streaming]: a number, or a struct or an array of several.
type StreamValue struct {
	Name    string
	Type    string
	Parts   []kir.Type // its numbers, in the order of memory
	Offsets []int      // where each lies, in bytes
	Gather  bool       // a parameter from which the function reads any element of Parts
	Emit    bool       // a parameter that the function calls with values of Parts
	At      string     // where it is declared: "cell 3, line 1, column 12"
}

// GatherSizes is how many numbers follow the addresses of a gather's columns: the length, and the sizes of four axes.
const GatherSizes = 5

// Width is how many arguments of [Streaming.Emit] the parameter is: the numbers of an element, of a gather the
// addresses of its columns and [GatherSizes] int64.
func (v StreamValue) Width() int {
	switch {
	case v.Emit:
		return 0
	case v.Gather:
		return len(v.Parts) + GatherSizes
	}
	return len(v.Parts)
}

// Streaming compiles a function of elements, once. Its parameters are numbers, bools, structs and arrays of them,
// [Brook]'s Gather of those, and at last perhaps a func(U); its results are as many values as it likes.
func (f *Func) Streaming() (*Streaming, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.streaming != nil {
		return f.streaming, nil
	}
	var s *Streaming
	var err error
	if f.entry != nil {
		s, err = f.entry.streaming(f.Name)
	} else {
		s, err = newStreaming(f.source, f.fn, f.targs)
	}
	if err == nil {
		f.streaming = s
	}
	return s, err
}

// streams reports whether a function can only be meant for streams: it has several results, or values of several
// numbers.
func streams(sig *types.Signature) bool {
	several := func(t types.Type) bool {
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array, *types.Signature:
			return true
		}
		return false
	}
	for v := range sig.Params().Variables() {
		if several(v.Type()) {
			return true
		}
	}
	return sig.Results().Len() > 1 || sig.Results().Len() == 1 && several(sig.Results().At(0).Type())
}

// isGather reports whether t is Brook's Gather, and of what.
func isGather(t types.Type) (elem types.Type, ok bool) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Name() != "Gather" || n.Obj().Pkg() == nil || strings.TrimSuffix(n.Obj().Pkg().Path(), "@patch") != Brook || n.TypeArgs().Len() != 1 {
		return nil, false
	}
	return n.TypeArgs().At(0), true
}

// emitted returns what a function func(U) takes.
func emitted(t types.Type) (u types.Type, ok bool) {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 || sig.Variadic() {
		return nil, false
	}
	return sig.Params().At(0).Type(), true
}

func newStreaming(src *Source, fn *types.Func, targs []types.Type) (*Streaming, error) {
	p, err := build(src, fn, targs, false)
	if err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &Streaming{Name: fn.Name()}
	const hint = "elements are numbers, bools, and structs and arrays of them; brook.Gather[T] reads any element of a stream"
	describe := func(what string, v *types.Var) (StreamValue, error) {
		out := StreamValue{Name: v.Name(), Type: typeName(v.Type()), At: src.Fset.Position(v.Pos()).String()}
		t := v.Type()
		if elem, ok := isGather(t); ok && what == "parameter" {
			t, out.Gather = elem, true
		} else if u, ok := emitted(t); ok && what == "parameter" {
			t, out.Emit = u, true
		}
		ls, err := leaves(t)
		for _, l := range ls {
			if l.ref != nil && err == nil {
				err = fmt.Errorf("a %s in it", typeName(l.ref))
			}
			out.Parts, out.Offsets = append(out.Parts, l.kind), append(out.Offsets, int(l.off))
		}
		switch {
		case err == nil && len(ls) == 0:
			err = fmt.Errorf("no numbers in it")
		case err == nil && len(ls) > maxParamElements:
			err = fmt.Errorf("%d numbers in it, of which there may be %d", len(ls), maxParamElements)
		}
		if err != nil {
			name := v.Name()
			if name != "" {
				name += " "
			}
			pos := v.Pos()
			if !pos.IsValid() {
				pos = p.fn.Pos()
			}
			return out, Errors{src.errorf(pos, hint, "the %s %sof %s cannot be an element of a stream: its type is %s, with %v", what, name, fn.Name(), typeName(v.Type()), err)}
		}
		return out, nil
	}
	emits := 0
	for v := range p.fn.Signature.Params().Variables() {
		d, err := describe("parameter", v)
		if err != nil {
			return nil, err
		}
		if d.Emit {
			if emits++; emits > 1 {
				return nil, Errors{src.errorf(v.Pos(), "emit a struct, or call brook.Flat twice", "%s has two functions to emit with", fn.Name())}
			}
		}
		s.Params = append(s.Params, d)
	}
	for v := range p.fn.Signature.Results().Variables() {
		d, err := describe("result", v)
		if err != nil {
			return nil, err
		}
		s.Results = append(s.Results, d)
	}
	if len(s.Results) == 0 && emits == 0 {
		return nil, Errors{src.errorf(p.fn.Pos(), "its results are the elements of the streams that brook.Map makes", "%s has no result", fn.Name())}
	}
	if len(s.Results) > 0 && emits > 0 {
		return nil, Errors{src.errorf(p.fn.Pos(), "emit them", "%s emits elements, and has results besides", fn.Name())}
	}
	s.emit = func(b *kir.Builder, args []*kir.Value, h StreamHooks) (results []*kir.Value, err error) {
		l := newLowerer(p, b, Options{})
		l.vectors, l.places = h.Vectors, h.Index
		err = guard(func() {
			var in []value
			for _, param := range s.Params {
				n := param.Width()
				in = append(in, l.streamValue(param, args[:n], h.Emitted))
				args = args[n:]
			}
			out := l.call(p.fn, in, nil, p.fn.Pos())
			if l.cur == nil {
				l.fail(p.fn.Pos(), "", "%s never returns", s.Name)
			}
			for _, part := range out {
				results = append(results, part.v)
			}
		})
		return results, err
	}
	b := kir.NewBuilder(kernelName(fn.Name())) // a trial
	trial := StreamHooks{Emitted: func([]*kir.Value) {}, Index: func(param int) (at [4]*kir.Value) {
		if !slices.Contains(s.Indexes, param) {
			s.Indexes = append(s.Indexes, param)
		}
		for k := range at {
			at[k] = b.Int(kir.I32, 0)
		}
		return at
	}}
	if _, err := s.Emit(b, s.trial(b), trial); err != nil {
		return nil, err
	}
	slices.Sort(s.Indexes)
	return s, nil
}

// indexOf is the place of the element that a parameter of the function has, or of a result: what a call of IndexOf
// names.
func (l *lowerer) indexOf(c *intrinsicCall) value {
	pos := c.instr.Pos()
	const hint = "name a parameter or a named result of the function that brook.Map calls: brook.IndexOf(x)"
	if l.places == nil {
		l.fail(pos, "it has a value in functions of brook.Map, brook.Maps and brook.Flat", "there are no streams here, of which brook.IndexOf could give a place")
	}
	param, ok := 0, false
	if v := l.p.places[pos]; v != nil {
		sig := l.p.fn.Signature
		for i := range sig.Params().Len() {
			if sig.Params().At(i).Pos() == v.Pos() {
				param, ok = i, true
			}
		}
		for i := range sig.Results().Len() {
			if sig.Results().At(i).Pos() == v.Pos() {
				param, ok = -1, true
			}
		}
	}
	if !ok {
		l.fail(pos, hint, "brook.IndexOf is given what is not an element of a stream of %s", l.p.fn.Name())
	}
	if param >= 0 {
		t := l.p.fn.Signature.Params().At(param).Type()
		_, gathers := isGather(t)
		_, emits := emitted(t)
		if gathers || emits {
			l.fail(pos, hint, "%s is not an element of a stream, and has no place", l.p.places[pos].Name())
		}
	}
	at := l.places(param)
	return plain(at[:]...)
}

// Keep returns what make makes, the same for each key: kernels that a caller makes of the function.
func (s *Streaming) Keep(key any, make func() any) any {
	if v, ok := s.kept.Load(key); ok {
		return v
	}
	v, _ := s.kept.LoadOrStore(key, make())
	return v
}

// trial makes parameters for the function's.
func (s *Streaming) trial(b *kir.Builder) (args []*kir.Value) {
	for _, t := range s.Args() {
		args = append(args, b.Param(fmt.Sprintf("x%d", len(args)), t))
	}
	return args
}

// Args are the types of the arguments of [Streaming.Emit].
func (s *Streaming) Args() (out []kir.Type) {
	for _, p := range s.Params {
		if !p.Gather {
			out = append(out, p.Parts[:p.Width()]...)
			continue
		}
		for range p.Parts {
			out = append(out, kir.U64)
		}
		for range GatherSizes {
			out = append(out, kir.I64)
		}
	}
	return out
}

// streamValue is a parameter's value in the function.
func (l *lowerer) streamValue(p StreamValue, args []*kir.Value, emitted func([]*kir.Value)) value {
	switch {
	case p.Emit:
		return value{{fn: &closure{emit: func(x value) {
			parts := make([]*kir.Value, len(x))
			for i := range x {
				parts[i] = x[i].v
			}
			emitted(parts)
		}}}}
	case p.Gather: // as a struct of a slice and four sizes
		k := len(p.Parts)
		out := plain(args[0], args[k], args[k], args[k+1], args[k+2], args[k+3], args[k+4])
		out[0].org, out[0].columns = &origin{known: true, space: kir.Global}, args[:k]
		return out
	}
	return plain(args...)
}

// Emit puts the function's code into the block that is current in b, and what follows it.
func (s *Streaming) Emit(b *kir.Builder, args []*kir.Value, h StreamHooks) ([]*kir.Value, error) {
	saved := b.Pos
	defer func() { b.Pos = saved }()
	return s.emit(b, args, h)
}

// emits reports whether a function has a parameter to emit with.
func emits(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if _, ok := emitted(v.Type()); ok {
			return true
		}
	}
	return false
}
