package magic

import (
	"errors"

	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// tier shows or sets when numeric code runs in the numeric tier, or says why a function does not.
func tier(c *Call) (display.Bundle, error) {
	switch c.Arg {
	case "":
		if c.Tier() == "" {
			return display.Bundle{}, errors.New("the engine of this session has no numeric tier")
		}
		c.Printf("the numeric tier is %s\n", c.Tier())
		return display.Bundle{}, nil
	case interp.TierOn, interp.TierOff, interp.TierForce:
		return display.Bundle{}, c.SetTier(c.Arg)
	}
	text, err := c.ExplainTier(c.Arg)
	if err != nil {
		return display.Bundle{}, err
	}
	c.Printf("%s\n", text)
	return display.Bundle{}, nil
}

// tierText says in which tier the cell that was timed ran.
func (c *Call) tierText() string {
	switch ran := c.TierRuns(); {
	case c.Tier() == "":
		return ""
	case ran == "":
		return "; not in the numeric tier"
	case ran == interp.TierCellLoop: // that of the timing
		return "; in the numeric tier"
	default:
		return "; in the numeric tier: " + ran
	}
}
