package simgpu

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// This file asks policies of others twice: what they answer must follow from what they are asked, or two runs of one
// program have different times.

// rehearsed is for how many slots a launch is timed twice beforehand, on one SM.
const rehearsed = 2048

// trail is the slots of a rehearsal.
type trail []stepNote

// stepNote is a slot: when which scheduler issued how many threads, and at which place of its list the first of them
// were.
type stepNote struct {
	cycle                            int64
	scheduler, place, lanes, besides int
}

func (t *trail) note(c *scheduler, now int64, lanes, beside int) {
	*t = append(*t, stepNote{now, c.number, c.last, lanes, beside})
}

func (t *trail) full() bool { return t != nil && len(*t) >= rehearsed }

// rehearse times the beginning of the blocks twice, where somebody else has written a policy, and returns the error of
// the launch where the two differ. An error of a policy is left to the run itself.
func (l *timing) rehearse(ctx context.Context, blocks []*blockTrace) error {
	if !l.policies.foreign() || len(blocks) == 0 {
		return nil
	}
	blocks = blocks[:min(len(blocks), 2*l.resident)]
	var trails [2]trail
	for i := range trails {
		m := l.newMachine(1, 1, l.preset.L2Bytes, blocks)
		m.trail = &trails[i]
		_, err := m.run(ctx)
		timedRun{machine: m}.release()
		if err != nil {
			return ctx.Err()
		}
	}
	for i, a := range trails[0] {
		if i < len(trails[1]) && trails[1][i] == a {
			continue
		}
		kind, names := l.policies.others()
		return &PolicyError{Kernel: l.kernel, Kind: kind, Policy: strings.Join(slices.Compact(names), `" or "`), Cycle: a.cycle, What: "does not answer the same when it is asked the same: " +
			fmt.Sprintf("the launch was timed twice, and slot %d was another", i) + "; what it answers must follow from what it is given, and a Picker keeps what it remembers in Env.State"}
	}
	return nil
}
