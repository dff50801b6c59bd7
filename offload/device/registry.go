package device

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Registry opens devices by name and keeps the open ones. The zero Registry is empty and ready.
type Registry struct {
	mu       sync.Mutex
	openers  map[string]func() (Device, error)
	families []family
	open     map[string]Device
}

// family is a kind of devices that nobody has named one by one.
type family struct {
	prefix string
	names  func() []string // may be nil
	open   func(name string) (Device, error)
}

// AddFamily gives an opener of all names with a prefix ("cuda:") that Add has not named: devices that a look at the
// machine tells, or that are made while programs run. names lists those that are there when somebody asks for all
// names; it may be nil.
func (r *Registry) AddFamily(prefix string, names func() []string, open func(name string) (Device, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.families = append(r.families, family{prefix, names, open})
}

// Add names a device that opener opens.
func (r *Registry) Add(name string, opener func() (Device, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.openers == nil {
		r.openers = map[string]func() (Device, error){}
	}
	r.openers[name] = opener
}

// Names returns the names, sorted.
func (r *Registry) Names() []string {
	r.mu.Lock()
	names, families := slices.Collect(maps.Keys(r.openers)), r.families
	r.mu.Unlock()
	for _, f := range families {
		if f.names != nil {
			names = append(names, f.names()...)
		}
	}
	slices.Sort(names)
	return names
}

// Get returns the device of the given name, opening it the first time; the name alone of a family that lists its
// devices is its first ("cuda" is "cuda:0").
// An unknown name's error lists those there are.
func (r *Registry) Get(name string) (Device, error) {
	r.mu.Lock()
	if slices.ContainsFunc(r.families, func(f family) bool { return f.prefix == name+":" && f.names != nil }) {
		name += ":0"
	}
	opener := r.opener(name)
	if opener == nil {
		r.mu.Unlock()
		more := ""
		if kind, _, _ := strings.Cut(name, ":"); packages[kind] != "" && !r.knows(kind+":") {
			more = fmt.Sprintf("; a program has such devices when it imports _ %q", "github.com/arrayrepl/arrayrepl/"+packages[kind])
		}
		return nil, fmt.Errorf("there is no device %q; there are %s%s", name, strings.Join(r.Names(), ", "), more)
	}
	defer r.mu.Unlock()
	if d := r.open[name]; d != nil {
		if old, ok := d.(Replaceable); !ok || !old.Replaced() {
			return d, nil
		}
	}
	d, err := opener()
	if err != nil {
		return nil, fmt.Errorf("device %s: %w", name, err)
	}
	if r.open == nil {
		r.open = map[string]Device{}
	}
	r.open[name] = d
	return d, nil
}

// knows reports whether there is a family of that prefix.
func (r *Registry) knows(prefix string) bool {
	return slices.ContainsFunc(r.families, func(f family) bool { return f.prefix == prefix })
}

func (r *Registry) opener(name string) func() (Device, error) {
	if o := r.openers[name]; o != nil {
		return o
	}
	for _, f := range r.families {
		if strings.HasPrefix(name, f.prefix) {
			return func() (Device, error) { return f.open(name) }
		}
	}
	return nil
}
