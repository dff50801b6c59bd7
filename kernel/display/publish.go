package display

import "sync/atomic"

// Publisher puts a bundle into the output of the running cell. The kernel, the REPL and `arrayrepl run` each have one.
type Publisher interface{ Publish(Bundle) }

var publisher atomic.Value // of holder: one process serves one session

type holder struct{ Publisher }

// SetPublisher installs where [Show] puts its bundles.
func SetPublisher(p Publisher) { publisher.Store(holder{p}) }

// Show displays v in the running cell's output now, before the cell ends. It evaluates lazy values.
func Show(v any) error {
	b, err := Of(v)
	if err != nil {
		return err
	}
	if h, ok := publisher.Load().(holder); ok && h.Publisher != nil {
		h.Publish(b)
	}
	return nil
}
