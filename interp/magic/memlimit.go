package magic

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// memlimit shows or sets how much memory cells may take.
func memlimit(c *Call) (display.Bundle, error) {
	if c.Arg != "" {
		limit, err := c.memorySize(c.Arg)
		if err != nil {
			return display.Bundle{}, err
		}
		c.SetMemoryLimit(limit)
	}
	switch limit, used := c.MemoryLimit(); limit {
	case 0:
		c.Printf("no limit; %s in use\n", bytesText(used))
	default:
		c.Printf("limit %s; %s in use\n", bytesText(limit), bytesText(used))
	}
	return display.Bundle{}, nil
}

// memoryUnits are the powers of 1000, as MB, or of 1024, as MiB.
const memoryUnits = "KMGT"

// memorySize reads an amount of memory: 500MB, 2 GiB, 1.5g, 80% of what is free, off for no limit.
func (s *Session) memorySize(arg string) (int64, error) {
	text := strings.ToUpper(strings.TrimSpace(arg))
	if text == "OFF" || text == "0" {
		return 0, nil
	}
	bad := fmt.Errorf("%q is not an amount of memory: write it as 500MB, 2GB, 80%% (of what is free), or off", arg)
	if part, ok := strings.CutSuffix(text, "%"); ok {
		percent, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		switch {
		case err != nil || percent <= 0 || percent > 100:
			return 0, bad
		case s.opts.FreeMemory == nil || s.opts.FreeMemory() == 0:
			return 0, fmt.Errorf("how much memory is free is not known here: write an amount, as 2GB")
		}
		return int64(percent / 100 * float64(s.opts.FreeMemory())), nil
	}
	text = strings.TrimSuffix(text, "B")
	base := 1000.0
	if rest, ok := strings.CutSuffix(text, "I"); ok {
		text, base = rest, 1024
	}
	scale := 1.0
	if n := len(text); n > 0 {
		if i := strings.IndexByte(memoryUnits, text[n-1]); i >= 0 {
			text = strings.TrimSpace(text[:n-1])
			for range i + 1 {
				scale *= base
			}
		}
	}
	size, err := strconv.ParseFloat(text, 64)
	if err != nil || size*scale < 1e6 || size*scale > 1e15 {
		return 0, bad
	}
	return int64(size * scale), nil
}

// bytesText writes an amount of memory with the unit that makes it short.
func bytesText(n int64) string {
	size, unit := float64(n), "B"
	for _, u := range memoryUnits {
		if size < 1000 {
			break
		}
		size, unit = size/1000, string(u)+"B"
	}
	return strconv.FormatFloat(size, 'g', 3, 64) + " " + unit
}
