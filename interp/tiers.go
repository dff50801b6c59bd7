package interp

import "fmt"

// tiered is an engine with a numeric tier.
type tiered interface{ SetTier(mode string) }

// defaultTier is the mode of sessions that name none. Tests change it.
var defaultTier = TierOn

// SetTier says when the numeric code of cells that come runs in the engine's numeric tier: [TierOn], [TierOff] or
// [TierForce]. An engine without such a tier runs it all itself.
func (s *Session) SetTier(mode string) error {
	switch mode {
	case TierOn, TierOff, TierForce:
	default:
		return fmt.Errorf("there is no tier mode %q: on, off and force are", mode)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tier = mode
	if e, ok := s.engine.(tiered); ok {
		e.SetTier(mode)
	}
	return nil
}

// Tier returns the mode of the numeric tier, "" when the engine has none.
func (s *Session) Tier() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.engine.(tiered); !ok {
		return ""
	}
	return s.tier
}
