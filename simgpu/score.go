package simgpu

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/cpu"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// This file is pickers that are made of a score: of a function that is called, and of one that is compiled and computed
// for all candidates side by side.

// Score is a Picker that issues the ready group with the highest score, the oldest of several. of is a func(Cand)
// float64 whose result follows from the candidate alone. In a cell it is compiled, where it can be: then only what it
// reads of candidates is looked at, and its arithmetic is done for all of them side by side. One that uses variables
// from outside of it, or what kernels cannot have, is called for each candidate. A score that is not a number is an
// error of the launch. Score panics where of is something else.
//
//	few := simgpu.Score("few loads", func(c simgpu.Cand) float64 { return -float64(c.LoadsInFlight) })
//	np.Use(simgpu.Custom("v100", simgpu.WithPicker(few)))
func Score(name string, of any) Picker {
	switch of := of.(type) {
	case func(Cand) float64:
		return &score{name: name, of: of}
	case candReader:
		f, fields, err := of.Reader()
		if err == nil {
			var s compiledScore
			if s, err = compileScore(name, f, fields); err == nil {
				return s
			}
		}
		if f, ok := of.Callable().(func(Cand) float64); ok {
			return &score{name, f, err}
		}
		panic(notScore(of.Callable()))
	}
	panic(notScore(of))
}

// notANumber is what is wrong with a score that compares with no other.
const notANumber = "failed in its score, which is not a number (NaN) for one of the candidates"

func notScore(of any) error {
	return fmt.Errorf("simgpu: Score of a %T: it is a func(simgpu.Cand) float64", of)
}

// candReader is a function of a cell, with its source.
type candReader interface {
	Reader() (code *kir.Func, fields [][]int, err error)
	Callable() any
}

type score struct {
	name string
	of   func(Cand) float64
	why  error // it is not compiled
}

func (s *score) Name() string { return s.name }

// String says why the score is slower than it could be.
func (s *score) String() string {
	if s.why == nil {
		return s.name
	}
	return fmt.Sprintf("%s, called for each candidate, as it is not compiled: %v", s.name, s.why)
}

func (s *score) Pick(_ int64, c []Cand, _ *Env) int {
	best, most, scored := -1, 0.0, false
	for i := range c {
		switch {
		case !c[i].Ready:
		case best < 0: // it needs no score where it stays alone
			best = i
		default:
			if !scored {
				most, scored = s.of(c[best]), true
			}
			x := s.of(c[i])
			if x != x || most != most {
				panic(notANumber)
			}
			if x > most {
				best, most = i, x
			}
		}
	}
	return best
}

// compiledScore is a Picker of compiled code. Two of the same name and code are one.
type compiledScore struct {
	name, text string
	code       *scoreCode
}

func (s compiledScore) Name() string { return s.name }

// String is for the identity of the policy.
func (s compiledScore) String() string { return s.name + ": " + s.text }

// Pick scores candidates of whatever kind.
func (s compiledScore) Pick(now int64, c []Cand, e *Env) int {
	run, ok := e.State.(*scoreRun)
	if !ok {
		run = s.code.start()
		e.State = run
	}
	ready := run.ready[:0]
	for i := range c {
		if c[i].Ready {
			ready = append(ready, i)
		}
	}
	run.ready = ready
	if len(ready) < 2 {
		return append(ready, -1)[0]
	}
	run.room(len(ready))
	for _, in := range s.code.inputs {
		for k, i := range ready {
			run.set(in, k, in.field.of(&c[i]))
		}
	}
	best, err := run.best(len(ready))
	if err != "" {
		panic(err)
	}
	return ready[best]
}

// field is one of those of a Cand.
type field uint8

const (
	fieldPC field = iota
	fieldLanes
	fieldAge
	fieldSince
	fieldReady
	fieldUnit
	fieldWidth
	fieldSplit
	fieldWarp
	fieldAtPC
	fieldBlock
	fieldWait
	fieldLoadsInFlight
	fieldLastIssue
	fieldPassed
	numFields
)

// fieldNames are those of the fields in Go.
var fieldNames = [numFields]string{"PC", "Lanes", "Age", "Since", "Ready", "Unit", "Width", "Split", "Warp", "AtPC", "Block", "Wait", "LoadsInFlight",
	"LastIssue", "Passed"}

func (f field) of(c *Cand) uint64 {
	switch f {
	case fieldPC:
		return uint64(c.PC)
	case fieldLanes:
		return uint64(c.Lanes)
	case fieldAge:
		return uint64(c.Age)
	case fieldSince:
		return uint64(c.Since)
	case fieldReady:
		if c.Ready {
			return 1
		}
		return 0
	case fieldUnit:
		return uint64(c.Unit)
	case fieldWidth:
		return uint64(c.Width)
	case fieldSplit:
		return uint64(c.Split)
	case fieldWarp:
		return uint64(c.Warp)
	case fieldAtPC:
		return uint64(c.AtPC)
	case fieldBlock:
		return uint64(c.Block)
	case fieldWait:
		return uint64(c.Wait)
	case fieldLoadsInFlight:
		return uint64(c.LoadsInFlight)
	case fieldLastIssue:
		return uint64(c.LastIssue)
	}
	return uint64(c.Passed)
}

// ofSplit is of for a warp split that is ready, with the place of it in its scheduler's list.
func (f field) ofSplit(c *scheduler, place int, now int64) uint64 {
	st := c.splits[place]
	switch f {
	case fieldPC:
		return uint64(c.sm.m.pcs.number(st))
	case fieldLanes:
		return uint64(st.lanes)
	case fieldAge:
		return uint64(place)
	case fieldSince:
		return uint64(st.readyAt)
	case fieldReady:
		return 1
	case fieldUnit:
		return uint64(st.port)
	case fieldWidth:
		return uint64(st.lanes.Count())
	case fieldWarp:
		return uint64(st.warp.slot)
	case fieldAtPC:
		pc, n := c.sm.m.pcs.number(st), 0
		for _, other := range c.splits {
			if c.sm.m.pcs.number(other) == pc {
				n += other.lanes.Count()
			}
		}
		return uint64(n)
	case fieldBlock:
		return uint64(st.warp.block.cta)
	case fieldLoadsInFlight:
		return uint64(st.warp.inFlight(now))
	case fieldLastIssue:
		return uint64(st.issuedAt)
	}
	return 0 // Split, Wait, Passed
}

// scoreCodes are those that have been compiled, by text: the same cell, run again, makes the same policy.
var scoreCodes sync.Map // of *scoreCode

// compileScore makes code of a function that reads numbers of a Cand and stores its score.
func compileScore(name string, f *kir.Func, fields [][]int) (compiledScore, error) {
	if len(f.Params) != len(fields)+1 {
		return compiledScore{}, errors.New("its code has other parameters than fields")
	}
	g := opt.Optimize(f)
	g.Renumber()
	c := &scoreCode{f: g, steps: make([][]scoreStep, len(g.Blocks))}
	for i, b := range g.Blocks {
		for _, v := range b.Values {
			step := scoreStep{v: v}
			switch {
			case v.Op == kir.OpConst:
				c.consts = append(c.consts, v)
				continue
			case v.Op == kir.OpParam:
				n, _ := v.ParamRef()
				if n == 0 {
					continue // where the result goes: it has no address
				}
				field, err := candField(fields[n-1])
				if err != nil {
					return compiledScore{}, err
				}
				c.inputs = append(c.inputs, scoreInput{field, v})
				continue
			case v.Op == kir.OpStore && v.Args[1].Type == kir.F64:
				c.result = v.Args[1]
			case v.Op == kir.OpCheck:
				step.check = true
			case cpu.CanEvaluate(v):
				step.compute = cpu.Columns(v)
			default:
				return compiledScore{}, fmt.Errorf("it has the operation %v", v.Op)
			}
			c.steps[i] = append(c.steps[i], step)
		}
	}
	if c.result == nil {
		return compiledScore{}, errors.New("its result is not a float64")
	}
	text := g.String()
	known, _ := scoreCodes.LoadOrStore(text, c)
	return compiledScore{name, text, known.(*scoreCode)}, nil
}

// candField returns the field of a Cand at a path.
func candField(path []int) (field, error) {
	at := reflect.TypeFor[Cand]().FieldByIndex(path)
	for i, name := range fieldNames {
		if name == at.Name {
			return field(i), nil
		}
	}
	return 0, fmt.Errorf("field %s", at.Name)
}
