package cudabackend

import "sync"

// failures keeps the first error of a stream since the last Sync.
type failures struct {
	mu    sync.Mutex
	age   int // of the queue: one more each time it is given up
	first error
}

// fail keeps err, of a queue of that age, unless the queue was given up since.
func (f *failures) fail(age int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first == nil && f.age == age {
		f.first = err
	}
}

// round returns the age of what is queued now.
func (f *failures) round() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.age
}

// giveUp forgets the queue: its errors are of no interest any more.
func (f *failures) giveUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.age, f.first = f.age+1, nil
}

// take returns the first error and forgets it.
func (f *failures) take() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.first
	f.first = nil
	return err
}
