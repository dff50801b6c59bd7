package engine

import (
	"go/token"
	"go/types"
)

// Modes of the numeric tier, for Options.Tier and Session.SetTier.
const (
	TierOn    = "on"    // where it pays: loops, and functions that have loops or call others
	TierOff   = "off"   // nowhere
	TierForce = "force" // wherever it can, for tests
)

// Tiered is an engine with a numeric tier.
type Tiered interface {
	SetTier(mode string)
	// TierRuns says which functions and loops of the program that was compiled last have run in the tier.
	TierRuns() []TierUnit
	// ExplainTier says what keeps a function of the program out of the tier.
	ExplainTier(code Code, fn *types.Func) (TierReport, bool)
}

// TierUnit is code that runs in the numeric tier: a function, or a loop of one that does not qualify.
type TierUnit struct {
	Func string // "" for a cell's own statements
	Loop bool
}

// TierReport is what keeps a function out of the numeric tier.
type TierReport struct {
	Obstacle string // the construct, "" when it qualifies
	Pos      token.Pos
	Loops    []token.Pos // loops that run in the tier all the same
	Calls    []TierCall  // functions that it calls and that do not qualify
}

// TierCall is a call that leaves the tier.
type TierCall struct {
	Func, Obstacle string
	Pos            token.Pos
}
