package interp

import "github.com/arrayrepl/arrayrepl/interp/engine"

// Engine compiles checked cells and runs them; package engine says what it gets and gives.
type Engine = engine.Engine

// Frame is a line of a cell, or of a file of the user's own modules, that was being executed.
type Frame = engine.Frame

// Modes of the numeric tier, for Options.Tier and Session.SetTier.
const (
	TierOn    = engine.TierOn    // where it pays: loops, and functions that have loops or call others
	TierOff   = engine.TierOff   // nowhere
	TierForce = engine.TierForce // wherever it can, for tests
)
