package gosrc

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// streamEntry is the first line of a function of elements as an [Entry] holds it; its code follows as that of a kernel,
// whose parameters are the arguments of [Streaming.Emit], four int32 for each of Indexes, and addresses: one for each
// number of the results, and one for each of what it emits.
type streamEntry struct {
	Params, Results []streamEntryValue
	Indexes         []int    `json:",omitempty"`
	Vectors         [][3]int `json:",omitempty"` // what methods of vectors have emitted: a block, the first value there, how many
}

type streamEntryValue struct {
	Name, Type   string
	Parts        []string
	Offsets      []int
	Gather, Emit bool   `json:",omitempty"`
	At           string `json:",omitempty"`
}

// Encode returns s as an [Entry] holds it.
func (s *Streaming) Encode() (string, error) {
	b := kir.NewBuilder(kernelName(s.Name))
	args := s.trial(b)
	places := map[int][4]*kir.Value{}
	for _, param := range s.Indexes {
		var at [4]*kir.Value
		for k := range at {
			at[k] = b.Param(fmt.Sprintf("at%d", len(places)*4+k), kir.I32)
		}
		places[param] = at
	}
	addresses := func(name string, values []StreamValue) (out []*kir.Value) {
		for _, v := range values {
			for range v.Parts {
				out = append(out, b.Param(fmt.Sprintf("%s%d", name, len(out)), kir.U64))
			}
		}
		return out
	}
	to := addresses("result", s.Results)
	var emits []*kir.Value
	for _, p := range s.Params {
		if p.Emit {
			emits = addresses("emitted", []StreamValue{p})
		}
	}
	var vectors [][]*kir.Value
	results, err := s.Emit(b, args, StreamHooks{
		Emitted: func(parts []*kir.Value) {
			for i, v := range parts {
				b.Store(kir.Global, emits[i], v)
			}
		},
		Vectors: func(made []*kir.Value) { vectors = append(vectors, append([]*kir.Value(nil), made...)) },
		Index:   func(param int) [4]*kir.Value { return places[param] },
	})
	if err != nil {
		return "", err
	}
	for i, v := range results {
		b.Store(kir.Global, to[i], v)
	}
	b.Return()
	f, err := b.Func()
	if err != nil {
		return "", err
	}
	head := streamEntry{Params: encoded(s.Params), Results: encoded(s.Results), Indexes: s.Indexes}
	at := map[*kir.Value][2]int{}
	for i, blk := range f.Blocks {
		for k, v := range blk.Values {
			at[v] = [2]int{i, k}
		}
	}
	for _, group := range vectors {
		if len(group) > 0 {
			first := at[group[0]]
			head.Vectors = append(head.Vectors, [3]int{first[0], first[1], len(group)})
		}
	}
	line, err := json.Marshal(head)
	return string(line) + "\n" + Encode(f), err
}

func encoded(values []StreamValue) (out []streamEntryValue) {
	for _, v := range values {
		e := streamEntryValue{Name: v.Name, Type: v.Type, Offsets: v.Offsets, Gather: v.Gather, Emit: v.Emit, At: v.At}
		for _, t := range v.Parts {
			e.Parts = append(e.Parts, t.String())
		}
		out = append(out, e)
	}
	return out
}

func decoded(values []streamEntryValue) (out []StreamValue, err error) {
	for _, e := range values {
		v := StreamValue{Name: e.Name, Type: e.Type, Offsets: e.Offsets, Gather: e.Gather, Emit: e.Emit, At: e.At}
		for _, name := range e.Parts {
			t := kir.Void + 1
			for t < kir.NumTypes && t.String() != name {
				t++
			}
			if t == kir.NumTypes {
				return nil, fmt.Errorf("there is no type %q", name)
			}
			v.Parts = append(v.Parts, t)
		}
		out = append(out, v)
	}
	return out, nil
}

// streaming reads the function of elements.
func (e *Entry) streaming(name string) (*Streaming, error) {
	if e.Stream == "" {
		return nil, fmt.Errorf("%s: it was not compiled for streams: name it in a call of package brook, and run go generate in its package again", name)
	}
	line, code, _ := strings.Cut(e.Stream, "\n")
	var head streamEntry
	if err := json.Unmarshal([]byte(line), &head); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	text, places, _ := strings.Cut(code, placesMark)
	fn, err := kir.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	setPlaces(fn, places)
	s := &Streaming{Name: name, Indexes: head.Indexes}
	var failed [2]error
	s.Params, failed[0] = decoded(head.Params)
	s.Results, failed[1] = decoded(head.Results)
	if err := errors.Join(failed[:]...); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	results := 0
	for _, r := range s.Results {
		results += len(r.Parts)
	}
	s.emit = func(b *kir.Builder, args []*kir.Value, h StreamHooks) ([]*kir.Value, error) {
		for _, param := range s.Indexes {
			at := h.Index(param)
			args = append(args[:len(args):len(args)], at[:]...)
		}
		made := map[*kir.Value]*kir.Value{}
		out := b.PasteAll(fn, args, kir.Pasting{Results: results, Emitted: h.Emitted, Made: made})
		for _, group := range head.Vectors {
			if h.Vectors == nil {
				break
			}
			var values []*kir.Value
			for _, v := range fn.Blocks[group[0]].Values[group[1] : group[1]+group[2]] {
				if v := made[v]; v != nil {
					values = append(values, v)
				}
			}
			h.Vectors(values)
		}
		return out, nil
	}
	return s, nil
}

// combiner reads the function as one that combines two records; nil of a function of numbers.
func (e *Entry) combiner(name string, t reflect.Type) (*Combiner, error) {
	if t.NumIn() == 0 || t.In(0).Kind() != reflect.Struct && t.In(0).Kind() != reflect.Array {
		return nil, nil
	}
	s, err := e.streaming(name)
	if err != nil {
		return nil, err
	}
	if t.NumIn() != 2 || t.NumOut() != 1 || t.In(1) != t.In(0) || t.Out(0) != t.In(0) {
		return nil, nil
	}
	return &Combiner{Name: name, Parts: s.Params[0].Parts, Offsets: s.Params[0].Offsets, emit: func(b *kir.Builder, args []*kir.Value) ([]*kir.Value, error) {
		return s.emit(b, args, StreamHooks{})
	}}, nil
}
