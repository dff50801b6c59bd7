package display

import (
	"slices"
	"sync"
)

var watchers struct {
	sync.Mutex
	list []*func(Bundle)
}

// Watch calls f with each bundle that [Show], [ShowAs] and [Update] publish, before they do, until stop is called. It
// is for what keeps a copy of what cells show.
func Watch(f func(Bundle)) (stop func()) {
	watchers.Lock()
	defer watchers.Unlock()
	watchers.list = append(slices.Clone(watchers.list), &f)
	return func() {
		watchers.Lock()
		defer watchers.Unlock()
		watchers.list = slices.DeleteFunc(slices.Clone(watchers.list), func(g *func(Bundle)) bool { return g == &f })
	}
}

// tell tells the watchers.
func tell(b Bundle) {
	watchers.Lock()
	list := watchers.list
	watchers.Unlock()
	for _, f := range list {
		if *f != nil {
			(*f)(b)
		}
	}
}
