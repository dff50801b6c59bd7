package display

import (
	"crypto/rand"
	"errors"
	"sync/atomic"
)

// Publisher puts a bundle into the output of the running cell. The kernel, the REPL and `arrayrepl run` each have one.
type Publisher interface{ Publish(Bundle) }

// Rewriter is a Publisher whose outputs can change after they were shown.
type Rewriter interface {
	Publisher
	PublishAs(id string, b Bundle) // shows b under an id
	Replace(id string, b Bundle)   // puts b in the place of all that is shown under id
	Clear(wait bool)               // empties the running cell's output, with wait when its next output comes
}

// Asker is a Publisher with somebody in front of it who can answer questions.
type Asker interface {
	Input(prompt string, password bool) (string, error)
}

var publisher atomic.Value // of holder: one process serves one session

type holder struct{ Publisher }

// SetPublisher installs where [Show] puts its bundles.
func SetPublisher(p Publisher) { publisher.Store(holder{p}) }

func current() Publisher {
	h, _ := publisher.Load().(holder)
	return h.Publisher
}

// Show displays v in the running cell's output now, before the cell ends. It evaluates lazy values.
func Show(v any) error {
	b, err := Of(v)
	if err != nil {
		return err
	}
	tell(b)
	p := current()
	if id, _ := b.Transient["display_id"].(string); id != "" {
		if r, ok := p.(Rewriter); ok {
			r.PublishAs(id, b)
			return nil
		}
	}
	if p != nil {
		p.Publish(b)
	}
	return nil
}

// ShowAs is Show with a name for what is shown, by which [Update] finds it. Where outputs cannot change, as in a
// terminal, it is Show.
func ShowAs(id string, v any) error {
	b, err := Of(v)
	if err != nil {
		return err
	}
	tell(b)
	switch p := current().(type) {
	case nil:
	case Rewriter:
		p.PublishAs(id, b)
	default:
		p.Publish(b)
	}
	return nil
}

// Update shows v in the place of everything that was shown under id, in this cell or an earlier one. Where outputs
// cannot change, as in a terminal, it shows v after them.
func Update(id string, v any) error {
	b, err := Of(v)
	if err != nil {
		return err
	}
	tell(b)
	switch p := current().(type) {
	case nil:
	case Rewriter:
		p.Replace(id, b)
	default:
		p.Publish(b)
	}
	return nil
}

// NewID returns an id for [ShowAs] that nobody else uses.
func NewID() string { return rand.Text() }

// Clear empties the running cell's output: at once, or with wait when the next output comes, which does not flicker.
// Where outputs cannot change it does nothing.
func Clear(wait bool) {
	if p, ok := current().(Rewriter); ok {
		p.Clear(wait)
	}
}

// ErrNoInput is returned by [Input] where nobody can be asked.
var ErrNoInput = errors.New("display: nobody can be asked for input here")

// Input asks the person in front of the notebook for a line. It fails where there is none.
func Input(prompt string) (string, error) { return ask(prompt, false) }

// Password is Input for what nobody else may read.
func Password(prompt string) (string, error) { return ask(prompt, true) }

func ask(prompt string, password bool) (string, error) {
	if p, ok := current().(Asker); ok {
		return p.Input(prompt, password)
	}
	return "", ErrNoInput
}
