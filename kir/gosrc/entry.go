package gosrc

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Entry is a function that a step of go generate has compiled, for programs, whose functions have no source when they
// run.
type Entry struct {
	Name   string   // runtime's: "main.saxpy"; of a function literal its place: "main.go:12"
	Type   string   // of an instance of a generic function, as TypeString writes it
	Params []string // names
	// Kernel is the function as a kernel and Inline as a function of scalars that can be put into kernels, in the text
	// form of package kir, each followed by the places of its values; empty where it is not used as such.
	Kernel, Inline string
	// Stream is the function as one of elements of streams, which may be structs: a line of JSON that describes its
	// parameters and results, and a kernel as above; empty where it is not used as such.
	Stream    string
	Writes    []int // the kernel's parameters that are slices to which it writes
	Variables []EntryVariable
	Launches  []LaunchCall // from the kernel, and the words of the longest of their records
	Words     int
	Prints    bool
	Dynamic   bool
	Sum       string // of the function and all that it uses, as Text.Sum gives it

	sources *sources
}

// EntryVariable is a variable of the function's package that the kernel uses, in the order of the parameters that it
// has for them.
type EntryVariable struct {
	Name    string
	Address any
	Bytes   int
	Writes  bool
}

// sources are the files that entries were made from, as they were when the program was built.
type sources struct {
	files    fs.FS
	text     func() (*Text, error)
	literals map[string]*Entry // those of function literals, by their sums
}

var entries = struct {
	sync.Mutex
	named    map[string]*Entry     // by name and type
	literals map[string][]*sources // those with function literals, by file
}{named: map[string]*Entry{}, literals: map[string][]*sources{}}

// Register makes the functions of a package known. files holds the package's source: when a function there has another
// sum than its entry, the step has to be run again, and launches say so. Where files is nil there is nothing to compare
// with.
func Register(files fs.FS, list ...Entry) {
	s := &sources{files: files, literals: map[string]*Entry{}}
	s.text = sync.OnceValues(s.read)
	entries.Lock()
	defer entries.Unlock()
	for _, e := range list {
		e.sources = s
		entries.named[e.Name+" "+e.Type] = &e
		if file, _, ok := strings.Cut(e.Name, ":"); ok {
			s.literals[e.Sum] = &e
			if !slices.Contains(entries.literals[file], s) {
				entries.literals[file] = append(entries.literals[file], s)
			}
		}
	}
}

// VariableAt returns the name of the variable that p points to, where a kernel of the program uses it; "" else.
func VariableAt(p any) string {
	entries.Lock()
	defer entries.Unlock()
	for _, e := range entries.named {
		for _, v := range e.Variables {
			if v.Address == p {
				return v.Name
			}
		}
	}
	return ""
}

// UsersOf returns the kernels of the program that use the variable that p points to.
func UsersOf(p any) (names []string) {
	entries.Lock()
	defer entries.Unlock()
	for _, e := range entries.named {
		for _, v := range e.Variables {
			if v.Address == p {
				names = append(names, e.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func (s *sources) read() (*Text, error) {
	names, err := fs.Glob(s.files, "*.go")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[name], err = fs.ReadFile(s.files, name); err != nil {
			return nil, err
		}
	}
	return ReadText(files)
}

// changed says that the function is not what it was when it was compiled, nil when it is.
func (e *Entry) changed() error {
	if e.sources.files == nil {
		return nil
	}
	text, err := e.sources.text()
	if err != nil {
		return err
	}
	if sum, ok := text.Sum(e.Local()); !ok || sum != e.Sum {
		return fmt.Errorf("%s, or what it uses, has changed since it was compiled: run go generate in its package", e.Name)
	}
	return nil
}

// Local is the function's name in its package.
func (e *Entry) Local() string {
	if strings.Contains(e.Name, ":") {
		return e.Name // a literal's
	}
	name := strings.TrimSuffix(e.Name, "[...]")
	return name[strings.LastIndex(name, ".")+1:]
}

// TypeString writes the type of a generic function's instance as reflection does: without names of parameters.
func TypeString(sig *types.Signature) string {
	var params []string
	for p := range sig.Params().Variables() {
		params = append(params, types.TypeString(p.Type(), (*types.Package).Name))
	}
	s := "func(" + strings.Join(params, ", ") + ")"
	if sig.Results().Len() == 1 {
		s += " " + types.TypeString(sig.Results().At(0).Type(), (*types.Package).Name)
	}
	return s
}

// entryOf returns the entry of a function of the program, nil when none was registered, and an error when it is of
// another text.
func entryOf(f reflect.Value) (*Entry, error) {
	rf := runtime.FuncForPC(f.Pointer())
	file, line := rf.FileLine(rf.Entry())
	entries.Lock()
	defer entries.Unlock()
	for _, key := range []string{rf.Name() + " ", rf.Name() + " " + f.Type().String()} {
		if e := entries.named[key]; e != nil {
			return e, e.changed()
		}
	}
	at := fmt.Sprintf("%s:%d", filepath.Base(file), line)
	for _, s := range entries.literals[filepath.Base(file)] { // it may have stood in another line
		if s.files == nil {
			continue
		}
		if text, err := s.text(); err == nil {
			if sum, ok := text.Sum(at); ok && s.literals[sum] != nil {
				return s.literals[sum], nil
			}
		}
	}
	if e := entries.named[at+" "]; e != nil {
		return e, e.changed()
	}
	return nil, nil
}

// kernel reads the kernel of the function f, and what it takes from f's type.
func (e *Entry) kernel(f reflect.Type, opts Options) (*Kernel, error) {
	if e.Kernel == "" {
		return nil, errors.New("it was compiled to be put into kernels, not as one: run go generate in its package again")
	}
	text, places, _ := strings.Cut(e.Kernel, placesMark)
	fn, err := kir.Parse(text)
	if err != nil {
		return nil, err
	}
	setPlaces(fn, places)
	if opts.Unchecked {
		dropChecks(fn)
	}
	k := &Kernel{Func: fn, Prints: e.Prints, Dynamic: e.Dynamic}
	l, n := &lowerer{b: kir.NewBuilder("")}, 0 // counts parameters as the compiler did
	for i, name := range e.Params {
		p := Param{Name: name, Type: typeOf(f.In(i))}
		if err := l.addParam(&p, new(value), p.Type, name, nil, &n); err != nil {
			return nil, err
		}
		k.Params = append(k.Params, p)
	}
	for i := range k.Params {
		for j := range k.Params[i].Leaves {
			leaf := &k.Params[i].Leaves[j]
			leaf.Reads = leaf.IsSlice()
			for _, w := range e.Writes {
				leaf.Writes = leaf.Writes || w == leaf.First
			}
		}
	}
	for i, v := range e.Variables {
		k.Variables = append(k.Variables, Variable{Name: v.Name, Bytes: v.Bytes, First: n + i, Reads: true, Writes: v.Writes, address: func() any { return v.Address }})
	}
	if e.Launches != nil {
		k.Launches = &Launches{Calls: e.Launches, First: n + len(e.Variables), Words: e.Words}
		for _, s := range l.slices {
			k.Launches.Slices = append(k.Launches.Slices, s.first)
		}
	}
	return k, nil
}

// inline reads the function of scalars.
func (e *Entry) inline(name string) (*Inline, error) {
	if e.Inline == "" {
		return nil, errors.New("it was compiled as a kernel, not for np.Map and np.Reduce: run go generate in its package again")
	}
	text, places, _ := strings.Cut(e.Inline, placesMark)
	fn, err := kir.Parse(text)
	if err != nil {
		return nil, err
	}
	setPlaces(fn, places)
	in := &Inline{Name: name}
	for _, p := range fn.Params[:len(fn.Params)-1] {
		in.Params = append(in.Params, p.Type)
	}
	for _, blk := range fn.Blocks {
		for _, v := range blk.Values {
			if v.Op == kir.OpStore && v.Args[0].Op == kir.OpParam {
				in.Result = v.Args[1].Type
			}
		}
	}
	in.emit = func(b *kir.Builder, args []*kir.Value) (*kir.Value, error) { return b.Paste(fn, args...), nil }
	return in, nil
}

// dropChecks leaves out the tests, but for what the source itself panics with.
func dropChecks(f *kir.Func) {
	for _, blk := range f.Blocks {
		var keep []*kir.Value
		for _, v := range blk.Values {
			if v.Op == kir.OpCheck {
				if kind, _ := f.Check(v); kind != kir.CheckPanic {
					continue
				}
			}
			keep = append(keep, v)
		}
		blk.Values = keep
	}
}

// placesMark stands between a kernel and the places of its values.
const placesMark = "places\n"

// Encode returns f as an Entry holds it: its text form, and the places of its values and of the ends of its blocks: one
// word each, "saxpy.go:3:7", with "" for the place of the one before and the file left out where that is the same.
func Encode(f *kir.Func) string {
	var words []string
	var last kir.Pos
	add := func(p kir.Pos) {
		p.File = filepath.Base(p.File)
		switch {
		case p == last:
			words = append(words, "-")
		case p.File == last.File:
			words = append(words, fmt.Sprintf("%d:%d", p.Line, p.Col))
		default:
			words = append(words, fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col))
		}
		last = p
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			add(v.Pos)
		}
		add(blk.Term.Pos)
	}
	return f.String() + placesMark + strings.Join(words, " ")
}

func setPlaces(f *kir.Func, text string) {
	words := strings.Fields(text)
	var last kir.Pos
	next := func() kir.Pos {
		if len(words) == 0 {
			return kir.Pos{}
		}
		w := words[0]
		words = words[1:]
		if w == "-" {
			return last
		}
		if i := strings.LastIndex(w, ":"); strings.Count(w, ":") == 2 {
			i = strings.LastIndex(w[:i], ":")
			last.File, w = w[:i], w[i+1:]
		}
		fmt.Sscanf(w, "%d:%d", &last.Line, &last.Col)
		return last
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			v.Pos = next()
		}
		blk.Term.Pos = next()
	}
}

// typeOf returns a type of the running program as package types has it, as far as kernels have such.
func typeOf(r reflect.Type) types.Type {
	var t types.Type
	switch r.Kind() {
	case reflect.Slice:
		t = types.NewSlice(typeOf(r.Elem()))
	case reflect.Array:
		t = types.NewArray(typeOf(r.Elem()), int64(r.Len()))
	case reflect.Struct:
		var fields []*types.Var
		for i := range r.NumField() {
			fields = append(fields, types.NewField(token.NoPos, nil, r.Field(i).Name, typeOf(r.Field(i).Type), false))
		}
		t = types.NewStruct(fields, nil)
	default:
		for _, b := range types.Typ {
			if b.Name() == r.Kind().String() {
				return b
			}
		}
		return types.Typ[types.Invalid]
	}
	if r.Name() != "" {
		pkg, name, _ := strings.Cut(r.String(), ".")
		return types.NewNamed(types.NewTypeName(token.NoPos, types.NewPackage(pkg, pkg), name, nil), t, nil)
	}
	return t
}
