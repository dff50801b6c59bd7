package device

import (
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Registry opens devices by name and keeps the open ones. The zero Registry is empty and ready.
type Registry struct {
	mu       sync.Mutex
	openers  map[string]func() (Device, error)
	families map[string]func(name string) (Device, error) // by prefix
	open     map[string]Device
}

// Add names a device that opener opens.
func (r *Registry) Add(name string, opener func() (Device, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fill()
	r.openers[name] = opener
}

// AddFamily gives an opener of all names with a prefix that Add has not named: devices that are made while programs run.
// Names does not list them.
func (r *Registry) AddFamily(prefix string, opener func(name string) (Device, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fill()
	r.families[prefix] = opener
}

func (r *Registry) fill() {
	if r.openers == nil {
		r.openers, r.open = map[string]func() (Device, error){}, map[string]Device{}
		r.families = map[string]func(string) (Device, error){}
	}
}

// Names returns the names, sorted.
func (r *Registry) Names() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for n := range r.openers {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Get returns the device of the given name, opening it the first time. An unknown name's error lists those there are.
func (r *Registry) Get(name string) (Device, error) {
	r.mu.Lock()
	d, opener := r.open[name], r.openers[name]
	for prefix, family := range r.families {
		if opener == nil && strings.HasPrefix(name, prefix) {
			opener = func() (Device, error) { return family(name) }
		}
	}
	if d == nil && opener != nil {
		defer r.mu.Unlock()
		d, err := opener()
		if err != nil {
			return nil, fmt.Errorf("device %s: %w", name, err)
		}
		r.open[name] = d
		return d, nil
	}
	r.mu.Unlock()
	if d == nil {
		return nil, fmt.Errorf("there is no device %q; there are %s", name, strings.Join(r.Names(), ", "))
	}
	return d, nil
}
