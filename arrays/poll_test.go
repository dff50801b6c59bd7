package arrays

import (
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/internal/workers"
)

// TestLongWorkPolls: every kind of long work asks whether to go on, and ends when the answer is a panic.
func TestLongWorkPolls(t *testing.T) {
	type stop struct{}
	defer Wiring{}.OnPoll(nil)
	x := Arange(6_000_000).AsType(Float64)
	m := Zeros(300, 300)
	r := DefaultRNG(1).Random(400, 400)
	text := DefaultRNG(1).Integers(0, 1<<40, 500_000).AsType(Str(14))
	for name, f := range map[string]func(){
		"elementwise": func() { x.Sin() },
		"sum":         func() { x.Sum() },
		"sum of rows": func() { x.Reshape(-1, 10).Sum(Axis(1)) },
		"sort":        func() { x.Sort() },
		"cumsum":      func() { x.Reshape(-1, 10).CumSum(0); x.CumSum() },
		"matmul":      func() { m.MatMul(m) },
		"svd":         func() { SVD(r) },
		"eigh":        func() { EigH(r) },
		"eig":         func() { Eig(r) },
		"inv":         func() { Inv(r) },
		"qr":          func() { QR(r) },
		"lstsq":       func() { LstSq(r, r) },
		"convolve":    func() { Convolve(x, x.At(S(0, 1000))) },
		"polymul":     func() { PolyMul(x, x.At(S(0, 1000))) },
		"correlate":   func() { Correlate(x, x.At(S(0, 1000))) },
		"strings":     func() { Unique(text) },
	} {
		polls := 0
		Wiring{}.OnPoll(func() { polls++; panic(stop{}) })
		func() {
			defer func() {
				if r := recover(); r != (stop{}) {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			f()
		}()
		if polls != 1 {
			t.Errorf("%s: %d polls", name, polls)
		}
	}
}

// TestPollsAreOften: work of which an element takes long asks as often as that of cheap elements, counted in calls for
// so many elements.
func TestPollsAreOften(t *testing.T) {
	testsize.InTurn(t, 1)
	// Of pieces that several share, the caller asks after its own: how many these are the machine decides.
	workers.SetCount(1)
	defer workers.SetCount(0)
	defer Wiring{}.OnPoll(nil)
	r := DefaultRNG(1)
	numbers, texts := r.Random(200_000), r.Integers(0, 1<<40, 200_000).AsType(Str(14))
	text, err := numbers.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	check := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	dates := r.Integers(0, 20_000, 100_000).AsType(DateTime(Day))
	days := dates.Strings()
	check(SaveImage(dir+"/first.png", numbers.Reshape(400, 500)))
	for _, name := range []string{"/first.csv", "/first.json"} {
		check(SaveTable(dir+name, []string{"n", "t"}, []*Array{numbers, texts}))
	}
	places := r.Integers(0, 200_000, 400_000)
	long, few := r.Integers(0, 9, 2000).AsType(Str(1000)), r.Integers(0, 2000, 20_000)
	for name, c := range map[string]struct {
		least int
		f     func()
	}{
		"gamma numbers":   {5, func() { r.Gamma(2.0, 1.0, 200_000) }},
		"dirichlet":       {5, func() { r.Dirichlet([]float64{1, 2}, 100_000) }},
		"numbers as text": {10, func() { numbers.Strings() }},
		"text as numbers": {10, func() { texts.AsType(Int64) }},
		"JSON":            {10, func() { _, _ = numbers.MarshalJSON() }},
		"JSON read":       {20, func() { _ = new(Array).UnmarshalJSON(text) }},
		"dates as text":   {20, func() { dates.AsType(Str(0)) }},
		"dates of JSON":   {20, func() { isoDates(days) }},
		"a polynomial":    {90, func() { PolyVal(make([]float64, 100_000), 1.5) }},
		"packed text":     {30, func() { check(SaveTable(dir+"/t.csv.gz", []string{"x"}, []*Array{texts})) }},
		"a picture":       {20, func() { check(SaveImage(dir+"/p.png", numbers.Reshape(400, 500))) }},
		"another picture": {20, func() { check(SaveImage(dir+"/p.jpg", numbers.Reshape(400, 500))) }},
		"a picture read":  {30, func() { _, err := LoadImage(dir + "/first.png"); check(err) }},
		"a table":         {24, func() { _, _, err := LoadTable(dir + "/first.csv"); check(err) }},
		"records":         {130, func() { _, _, err := LoadTable(dir + "/first.json"); check(err) }},
		"set by places":   {3, func() { numbers.Copy().Set(1.5, places) }},
		"texts by places": {5, func() { long.At(few) }},
		"complex sort":    {2, func() { numbers.Add(numbers.Mul(1i)).Sort() }},
	} {
		var polls atomic.Int32 // workers ask too
		Wiring{}.OnPoll(func() { polls.Add(1) })
		c.f()
		if n := int(polls.Load()); n < c.least {
			t.Errorf("%s: %d polls, not %d", name, n, c.least)
		}
	}
}

// TestInterruptedPictures: work that is ended while a picture is packed ends with what asked for it, wherever that is:
// the packer of Go's library writes on in a deferred call, and fails by an index of its own where it was left halfway.
func TestInterruptedPictures(t *testing.T) {
	type ended struct{}
	defer Wiring{}.OnPoll(nil)
	x := DefaultRNG(1).Integers(0, 256, 300, 300, 3).AsType(Uint8)
	for _, end := range []string{"png", "jpg"} {
		for after := range 12 {
			polls := 0
			Wiring{}.OnPoll(func() {
				if polls++; polls > after {
					panic(ended{})
				}
			})
			path := filepath.Join(t.TempDir(), "picture."+end)
			var r any
			func() {
				defer func() { r = recover() }()
				require.NoError(t, SaveImage(path, x))
			}()
			Wiring{}.OnPoll(nil)
			if r != nil {
				require.Equal(t, ended{}, r, "%s, after %d polls", end, after)
				require.NoFileExists(t, path)
			}
		}
	}
}
