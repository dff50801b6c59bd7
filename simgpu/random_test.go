package simgpu

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

// Random kernels leave the same memory on every machine, under every policy, and what is counted of them adds up.
func TestInvariantsOfRandomKernels(t *testing.T) {
	chosen := []randomMachine{
		{"v100", nil},
		{"v100", []Option{WithDivergence(NREC{}), WithIssuePolicy(LRR{})}},
		{"tiny", []Option{WithIssuePolicy(TwoLevel{2}), Change(func(p *Preset) { p.SMs = 1 })}},
		{"tesla2009", nil},
		{"v100", []Option{WithDivergence(MIMD{})}},
		{"fermisbi", []Option{WithDivergence(TF{}), WithCoIssue(SWI{}), WithLanes(XorRev), Change(func(p *Preset) { p.WarpSize, p.Schedulers = 64, 1 })}},
		{"v100", []Option{WithDivergence(TF{}), WithIssuePolicy(Oldest{})}},
		{"fermisbi-64", []Option{WithDivergence(SBI{})}},
		{"fermisbi-64", []Option{WithDivergence(SBI{Constraints: true}), WithCoIssue(SWI{}), WithLanes(XorRev)}},
		{"v100", []Option{WithDivergence(SBI{WholeAccesses: true}), WithIssuePolicy(TwoLevel{})}},
		{"tesla2009", []Option{WithDivergence(DWF{Heap: true}), WithLanes(Swizzle)}},
		{"v100", []Option{WithDivergence(DWF{Policy: DPC, RegFile: Crossbar, Pool: 3})}},
		{"fermivt", []Option{WithCTAs(VT{}), WithDivergence(TF{}), WithSMs(1), Change(func(p *Preset) { p.MaxBlocksPerSM = 1 })}},
		{"fermivt", []Option{WithLoads(Mascar{MSHRs: 2, Entries: 3}), WithDivergence(NREC{}), WithSMs(1)}},
		{"fermivt", []Option{WithCTAs(VT{}), WithLoads(ActiveFirst{MSHRs: 3, Entries: 4}), WithDivergence(TF{}), WithSMs(1), Change(func(p *Preset) { p.MaxBlocksPerSM = 1 })}},
		{"v100", []Option{WithLoads(FIFO{MSHRs: 1}), WithDivergence(TF{}), WithCoIssue(SWI{})}},
		{"gtx480", []Option{WithDivergence(NREC{}), WithIssuePolicy(Oldest{})}},
		{"h200", []Option{WithIssuePolicy(Barrel{}), Change(func(p *Preset) { p.SMs = 7 })}},
	}
	swaps := int64(0)
	defer func() {
		if swaps == 0 {
			t.Error("no block was swapped")
		}
	}()
	for seed := range testsize.Seeds("simgpu.TestRandomKernels") {
		k := random.New(seed, random.All)
		want, err := random.Engine(1).Run(k, k.Func)
		if err != nil {
			t.Fatal(err)
		}
		least := int64(sectorBytes * len(sectorsTouched(t, k)))
		var instrs int64
		machines := append(slices.Clone(chosen), anyMachine(seed, 1), anyMachine(seed, 2))
		for i, m := range machines {
			if i > 1 && i < len(chosen) && !testsize.Part(int(seed)+i, 3) { // a short test has a third of the machines, each turn another
				continue
			}
			b := newBench(t, m.preset, append(m.options, AsWritten())...)
			in, out := b.put(k.Input), b.put(k.Output())
			loaded, err := b.gpu.Load(k.Func)
			if err != nil {
				t.Fatal(err)
			}
			e := b.stream.Launch(loaded, k.Grid, k.Block, 0, k.At(in.Addr(), out.Addr()))
			got := b.get(out)
			if !k.Same(got, want) {
				t.Errorf("seed %d on %s, %d (%s): other memory than the engine leaves", seed, m.preset, i, b.gpu.policies.identity())
			}
			r := e.Trace()
			st := r.Stats
			swaps += st.Swaps
			if !b.gpu.policies.pairs() {
				checkStats(t, r)
			} else { // two instructions may share a slot
				slots, all := int64(0), int64(0)
				for _, n := range st.Issued {
					slots += n
				}
				for _, n := range st.Stalls {
					all += n
				}
				if slots > st.WarpInstructions || 2*slots < st.WarpInstructions || slots+all != st.Cycles*int64(st.Schedulers*st.SMs) {
					t.Errorf("%d slots for %d instructions, %d with stalls, of %d", slots, st.WarpInstructions, slots+all, st.Cycles*int64(st.Schedulers*st.SMs))
				}
			}
			if st.DRAMBytes < least { // caches are cold, and what is written is written back
				t.Errorf("seed %d on %s, %d: %d bytes of DRAM for sectors of %d bytes", seed, m.preset, i, st.DRAMBytes, least)
			}
			var issued, lanes, requests, sectors, conflicts int64
			for _, l := range st.Detail.Lines {
				issued, lanes = issued+l.Issued, lanes+l.Lanes
				requests, sectors, conflicts = requests+l.Requests, sectors+l.Sectors, conflicts+l.Conflicts
			}
			if issued != st.WarpInstructions || lanes != st.ThreadInstructions || requests != st.Requests || sectors != st.Sectors || conflicts != st.BankConflicts {
				t.Errorf("seed %d on %s: lines add up to %d, %d, %d, %d, %d; the kernel has %d, %d, %d, %d, %d", seed, m.preset, issued, lanes, requests,
					sectors, conflicts, st.WarpInstructions, st.ThreadInstructions, st.Requests, st.Sectors, st.BankConflicts)
			}
			// What threads execute has nothing to do with policies; the first two machines have the same instructions.
			if i == 0 {
				instrs = st.ThreadInstructions
			} else if i == 1 && st.ThreadInstructions != instrs {
				t.Errorf("seed %d: %d thread instructions, without reconvergence %d", seed, instrs, st.ThreadInstructions)
			}
		}
		if t.Failed() {
			t.Fatalf("kernel of seed %d:\n%v", seed, k.Func)
		}
	}
}

type randomMachine struct {
	preset  string
	options []Option
}

// anyMachine returns a machine with policies at random, of all combinations that are allowed.
func anyMachine(seed uint64, turn int) randomMachine {
	r := rand.New(rand.NewPCG(seed, uint64(turn)))
	one := func(from ...Option) Option { return from[r.IntN(len(from))] }
	none := With()
	for {
		size := []int{8, 16, 32, 64}[r.IntN(4)]
		dwf := DWF{Policy: PoolPolicy(r.IntN(5)), RegFile: RegisterFile(r.IntN(3)), Pool: []int{0, 2, 20}[r.IntN(3)]}
		m := randomMachine{[]string{"v100", "tesla2009", "fermivt", "fermisbi", "fermisbi-64", "gtx480"}[r.IntN(6)], []Option{
			one(WithDivergence(PDOM{}), WithDivergence(TF{}), WithDivergence(NREC{}), WithDivergence(MIMD{}), WithDivergence(dwf), WithDivergence(DWF{Heap: true, Pool: dwf.Pool}),
				WithDivergence(SBI{Constraints: r.IntN(2) == 0, WholeAccesses: r.IntN(2) == 0})),
			one(none, WithIssuePolicy(LRR{}), WithPicker(GTO{}), WithPicker(LRR{}), WithPicker(Oldest{}), WithPicker(TwoLevel{Group: 1 + r.IntN(4)})),
			one(none, WithCoIssue(SWI{Sets: 1 << r.IntN(4)})),
			WithLanes(LaneShuffle(r.IntN(int(Swizzle) + 1))),
			one(WithCTAs(Baseline{}), WithCTAs(VT{PortBits: 64 << r.IntN(4)}), WithCTAs(MaxTLP{})),
			one(none, WithLoads(FIFO{MSHRs: 1 + r.IntN(4)}), WithLoads(Mascar{MSHRs: 1 + r.IntN(4), Entries: 1 + r.IntN(4)}), WithLoads(ActiveFirst{MSHRs: 2, Entries: 3})),
			one(none, WithSMs(1)), one(none, Window(r.IntN(100), 1<<r.IntN(12))),
			Change(func(p *Preset) {
				p.WarpSize, p.MaxBlocksPerSM = size, 1+r.IntN(4)
				p.L1Banks, p.WriteBack, p.Branches = []int{0, 1, 16, Unbanked}[r.IntN(4)], r.IntN(2) == 0, r.IntN(2) == 0
			}),
		}}
		if m.allowed() {
			return m
		}
	}
}

// allowed reports whether the machine's policies combine.
func (m randomMachine) allowed() (yes bool) {
	defer func() {
		if err, ok := recover().(error); ok && !strings.HasPrefix(err.Error(), "simgpu: ") {
			panic(err)
		}
	}()
	p, err := PresetByName(m.preset)
	if err != nil {
		panic(err)
	}
	New(p, m.options...).Close()
	return true
}

// sectorsTouched returns the sectors of device memory that the threads of k touch.
func sectorsTouched(t *testing.T, k *random.Kernel) touched {
	p, err := cpu.Compile(k.Func)
	if err != nil {
		t.Fatal(err)
	}
	const in, out = 1 << 20, 1 << 30
	m, seen := cpu.NewMemory(), touched{}
	m.Map(in, k.Input)
	m.Map(out, k.Output())
	if _, err := p.Run(ctx, cpu.Launch{Grid: k.Grid, Block: k.Block, Params: k.At(in, out), Memory: m, Workers: 1,
		Record: func(int) cpu.Recorder { return seen }}); err != nil {
		t.Fatal(err)
	}
	return seen
}

type touched map[uint64]bool

func (touched) Step(*kir.Block, []int32) {}

func (touched) End() {}

func (s touched) Access(v *kir.Value, _ []int32, at cpu.Addresses) {
	if v.Space == kir.Global {
		for _, addr := range at.List() {
			s[addr/sectorBytes] = true
		}
	}
}

// While there are four blocks for each that the SMs hold, time goes down with the number of SMs as it should:
// cuda-scan-brook.md A.4, "transparent scaling". And more SMs are never slower, down to a block each.
func TestMoreSMsAreFaster(t *testing.T) {
	testsize.InTurn(t, 2)
	f := skewed(t, func(b *kir.Builder, c *kir.Value) *kir.Value { return b.Int(kir.I64, 600) })
	const blocks = 256
	one, last := int64(0), int64(0)
	for _, sms := range []int{1, 2, 4, 8, 16, 32, 64} {
		p, _ := PresetByName("g80")
		p.SMs, p.MaxBlocksPerSM = sms, 4
		b := newBenchOf(t, p, Full())
		cycles := b.launch(f, kir.D1(blocks), kir.D1(64), b.alloc(4*blocks*64), blocks*64).Stats.Cycles
		if sms == 1 {
			one = cycles
		} else if cycles > last {
			t.Errorf("%d SMs take %d cycles, half as many %d", sms, cycles, last)
		}
		if speed := float64(one) / float64(cycles); blocks >= 4*sms*4 && speed < 0.95*float64(sms) {
			t.Errorf("%d SMs are %.2f times as fast as one", sms, speed)
		}
		last = cycles
	}
}
