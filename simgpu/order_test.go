package simgpu

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kir"
)

func TestShuffleIsAPermutation(t *testing.T) {
	for seed := range Shuffle(5) {
		order := seed.Order(100)
		if !slices.Equal(order, seed.Order(100)) {
			t.Errorf("%s is not the same each time", seed.Name())
		}
		sorted := slices.Sorted(slices.Values(order))
		for i, n := range sorted {
			if n != i {
				t.Fatalf("%s has no block %d", seed.Name(), i)
			}
		}
		if slices.Equal(order, sorted) {
			t.Errorf("%s leaves all where it is", seed.Name())
		}
	}
}

// In another order a launch computes the same, and the model gives the blocks to the SMs in that order.
func TestBlocksGoToSMsInTheOrderOfThePolicy(t *testing.T) {
	const blocks, n = 12, 12 * 32
	p, _ := PresetByName("v100")
	p.SMs, p.MaxBlocksPerSM = 2, 1
	var results [][]byte
	for _, o := range []BlockOrder{InOrder{}, Shuffle(1), Shuffle(2)} {
		b := newBenchOf(t, p, WithBlockOrder(o))
		y := b.alloc(8 * n)
		e := b.launch(triangle(t), kir.D1(blocks), kir.D1(32), y, n)
		results = append(results, b.get(y))
		want := o.Order(blocks)
		if want == nil {
			want = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
		}
		var got []int
		for _, r := range e.Stats.Detail.Blocks { // as they were handed out
			got = append(got, int(r.Block))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: blocks went to the SMs as %v, want %v", o.Name(), got, want)
		}
		if w := e.Stats.Detail.Walk; w == nil || w.Block < 0 || w.Block >= blocks {
			t.Errorf("%s: the walk is of block %+v", o.Name(), w)
		}
	}
	for _, r := range results[1:] {
		if !bytes.Equal(r, results[0]) {
			t.Error("the results differ")
		}
	}
}

// A sample of many blocks is taken from the order too: in it are neighbours that run together.
func TestASampleFollowsTheOrder(t *testing.T) {
	const blocks = 4000
	b := newBench(t, "v100", WithBlockOrder(Shuffle(3)), SampleAbove(50_000))
	e := b.launch(saxpy(t), kir.D1(blocks), kir.D1(256), b.alloc(4*256*blocks), b.alloc(4*256*blocks), 256*blocks)
	if e.Stats.SampledBlocks == blocks {
		t.Fatal("all blocks were replayed: the test needs more")
	}
	order := Shuffle(3).Order(blocks)
	at := slices.Index(order, int(e.Stats.Detail.Blocks[0].Block))
	for i, r := range e.Stats.Detail.Blocks[:neighbours] {
		if int(r.Block) != order[at+i] {
			t.Fatalf("block %d follows in the sample, in the order it is %d", r.Block, order[at+i])
		}
	}
}

// orderOf is a policy of someone else.
type orderOf []int

func (orderOf) Name() string      { return "mine" }
func (o orderOf) Order(int) []int { return o }

func TestAnOrderThatIsNoneIsAnError(t *testing.T) {
	for _, c := range []struct {
		order orderOf
		says  string
	}{{orderOf{0}, `block order "mine" has 1 of 2 blocks`}, {orderOf{0, 0}, "number 0 twice"}} {
		b := newBench(t, "tiny", WithBlockOrder(c.order))
		k, err := b.gpu.Load(triangle(t))
		if err != nil {
			t.Fatal(err)
		}
		e := b.stream.Launch(k, kir.D1(2), kir.D1(32), 0, pack(t, b.alloc(512), 64))
		if err := e.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
}

func TestCustomKnowsOrders(t *testing.T) {
	a, b := Custom("v100", WithBlockOrder(Shuffle(1))), Custom("v100", WithBlockOrder(Shuffle(2)))
	if a == b || a != Custom("v100", WithBlockOrder(Shuffle(1))) {
		t.Errorf("%s and %s", a, b)
	}
}
