package display

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// recorder writes down what reaches a publisher.
type recorder struct{ log []string }

func (r *recorder) Publish(b Bundle) { r.log = append(r.log, "show "+b.Text()) }

// rewriter is a recorder whose outputs can change.
type rewriter struct{ recorder }

func (r *rewriter) PublishAs(id string, b Bundle) {
	r.log = append(r.log, "as "+id+" "+b.Text())
}
func (r *rewriter) Replace(id string, b Bundle) {
	r.log = append(r.log, "replace "+id+" "+b.Text())
}
func (r *rewriter) Clear(wait bool) { r.log = append(r.log, fmt.Sprint("clear ", wait)) }

func (r *rewriter) Input(prompt string, password bool) (string, error) {
	return fmt.Sprint(prompt, password), nil
}

func TestPublishers(t *testing.T) {
	defer SetPublisher(nil)
	use := func() {
		Show(1)
		ShowAs("id", 2)
		Update("id", 3)
		Clear(true)
		Show(Data{Data: MIMEMap{TypeText: "4"}, Transient: MIMEMap{"display_id": "of its own"}})
	}
	use() // without a publisher nothing happens
	plain, rich := &recorder{}, &rewriter{}
	SetPublisher(plain)
	use()
	if _, err := Input("?"); err != ErrNoInput {
		t.Error(err)
	}
	SetPublisher(rich)
	use()
	if s, err := Password("?"); s != "?true" || err != nil {
		t.Error(s, err)
	}
	if want := []string{"show 1", "show 2", "show 3", "show 4"}; !slices.Equal(plain.log, want) {
		t.Errorf("%q", plain.log)
	}
	if want := []string{"show 1", "as id 2", "replace id 3", "clear true", "as of its own 4"}; !slices.Equal(rich.log, want) {
		t.Errorf("%q", rich.log)
	}
}

func TestProgressUpdatesInPlace(t *testing.T) {
	defer SetPublisher(nil)
	r := &rewriter{}
	SetPublisher(r)
	p := NewProgress("reading", 4)
	p.Add(1) // too soon to be drawn
	p.drawn = time.Now().Add(-time.Second)
	p.id = "p"
	p.Add(1)
	p.Add(9) // the end is always drawn, and is the end
	p.Add(-1)
	p.Done()
	if len(r.log) != 2 || !strings.HasPrefix(r.log[0], "replace p reading  50% [████████████············] 2/4") ||
		!strings.HasPrefix(r.log[1], "replace p reading 100% [████████████████████████] 4/4") {
		t.Errorf("%q", r.log)
	}
}

func TestProgressShowsItsEndWhereNothingChanges(t *testing.T) {
	defer SetPublisher(nil)
	r := &recorder{}
	SetPublisher(r)
	p := NewProgress("reading", 10)
	for i := range 5 {
		p.Set(i)
	}
	p.Done()
	if onTerminal() {
		t.Skip("standard error is a terminal: the bar went there")
	}
	if len(r.log) != 1 || !strings.HasPrefix(r.log[0], "show reading  40%") {
		t.Errorf("%q", r.log)
	}
}

// A passing bar leaves nothing, and nothing is shown of work that is over before it is drawn.
func TestPassingProgressDisappears(t *testing.T) {
	defer SetPublisher(nil)
	r := &rewriter{}
	SetPublisher(r)
	p := NewPassing("computing", 3)
	p.Set(3)
	p.Done()
	if len(r.log) != 0 {
		t.Errorf("%q", r.log)
	}
	p = NewPassing("computing", 3)
	p.id, p.begun = "p", time.Now().Add(-time.Second)
	p.Set(1)
	p.Done()
	if len(r.log) != 2 || !strings.HasPrefix(r.log[0], "as p computing  33%") || r.log[1] != "replace p " {
		t.Errorf("%q", r.log)
	}
}

// Whether a bar is seen depends on the machine: what is reproducible has none.
func TestReproducibleOutputsHaveNoBars(t *testing.T) {
	defer SetPublisher(nil)
	defer SetReproducible(false)
	SetReproducible(true)
	for _, p := range []Publisher{&rewriter{}, &recorder{}} {
		SetPublisher(p)
		for _, bar := range []*Progress{NewProgress("reading", 4), NewPassing("computing", 4), NewTracker("rows", -1)} {
			bar.begun = time.Now().Add(-time.Minute)
			bar.Add(2)
			bar.Done()
		}
		switch p := p.(type) {
		case *rewriter:
			assert.Empty(t, p.log)
		case *recorder:
			assert.Empty(t, p.log)
		}
	}
}
