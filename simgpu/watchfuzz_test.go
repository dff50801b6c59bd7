package simgpu

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/stretchr/testify/require"
)

// erring is a divergence and an issue policy that do as others, but for one misdeed at a random call.
type erring struct {
	of    Divergence
	rng   *rand.Rand
	calls *int // until the misdeed
	did   *string
}

func (erring) Name() string { return "erring" }

// now reports whether this call is the one.
func (e erring) now(what string) bool {
	*e.calls--
	if *e.calls == 0 {
		*e.did = what
	}
	return *e.calls == 0
}

func (e erring) New(lanes Mask, join []int) Split {
	if e.now("lost lanes at the beginning") {
		lanes &= Mask(e.rng.Uint64())
	}
	return erringSplit{e.of.New(lanes, join), e}
}

func (e erring) Pick(ready []int, last int) int {
	if e.now("a wrong choice") {
		return e.rng.IntN(2*len(ready)+2) - 1
	}
	return (7*ready[0] + 3*last + 31) % len(ready)
}

type erringSplit struct {
	Split
	by erring
}

func (s erringSplit) Group() (int, Mask) {
	b, m := s.Split.Group()
	if m == 0 || !s.by.now("a wrong group") {
		return b, m
	}
	switch s.by.rng.IntN(4) {
	case 0:
		return b + s.by.rng.IntN(5) - 2, m
	case 1:
		return b, m & Mask(s.by.rng.Uint64())
	case 2:
		return b, m | Mask(s.by.rng.Uint64())
	}
	panic("a wrong group")
}

func (s erringSplit) Resolve(arms []Arm) []Split {
	var out []Split
	for _, x := range s.Split.Resolve(arms) {
		out = append(out, erringSplit{x, s.by})
	}
	if !s.by.now("wrong splits") {
		return out
	}
	switch s.by.rng.IntN(3) {
	case 0:
		return append(out, s)
	case 1:
		return append(out, nil)
	}
	return out[:len(out)/2]
}

func (s erringSplit) Wait() Split {
	w, ok := s.Split.(Waiter)
	if !ok {
		return nil
	}
	rest := w.Wait()
	if rest == nil || s.by.now("lanes that stay behind a barrier") {
		return nil
	}
	return erringSplit{rest, s.by}
}

// Whatever a policy does wrong, in random kernels at random moments: the launch fails, or it leaves the memory that the
// engine leaves and each thread has executed what it executes under PDOM.
func TestAnErringPolicyIsRightOrRefused(t *testing.T) {
	failed, right := 0, 0
	for seed := range testsize.Seeds("simgpu.TestRandomKernels") {
		k := random.New(seed, random.All)
		want, err := random.Engine(1).Run(k, k.Func)
		require.NoError(t, err)
		run := func(options ...Option) (int64, []byte, error) {
			b := newBench(t, "tiny", append(options, AsWritten())...)
			in, out := b.put(k.Input), b.put(k.Output())
			loaded, err := b.gpu.Load(k.Func)
			require.NoError(t, err)
			e := b.stream.Launch(loaded, k.Grid, k.Block, 0, k.At(in.Addr(), out.Addr()))
			if err := e.Wait(t.Context()); err != nil {
				return 0, nil, err
			}
			return e.Trace().Stats.ThreadInstructions, b.get(out), nil
		}
		threads, _, err := run()
		require.NoError(t, err)
		for i := range uint64(4) {
			rng := rand.New(rand.NewPCG(uint64(seed), i))
			calls, did := 1+rng.IntN(1<<(3*i)), "nothing wrong"
			e := erring{[]Divergence{PDOM{}, NREC{}}[i%2], rng, &calls, &did}
			n, got, err := run(WithDivergence(e), WithIssuePolicy(e))
			var of *PolicyError
			switch {
			case errors.As(err, &of):
				require.Equal(t, "erring", of.Policy)
				require.NotEqual(t, "nothing wrong", did, "seed %d: %v", seed, err)
				failed++
			default:
				require.NoError(t, err, "seed %d, %s", seed, did)
				require.Equal(t, threads, n, "seed %d, %s", seed, did)
				require.True(t, k.Same(got, want), "seed %d, %s", seed, did)
				right++
			}
		}
	}
	t.Logf("%d launches failed, %d were right", failed, right)
	require.Positive(t, failed)
	require.Positive(t, right)
}
