package display

import (
	"fmt"
	"image/color"
	"os"
)

// ANSIColor is c in the words of ECMA-48's escape sequences, to stand behind 38; for letters and 48; for what is
// behind them: exact where COLORTERM says that the terminal knows such colours, else the nearest of xterm's cube of 6
// by 6 by 6.
func ANSIColor(c color.NRGBA) string {
	if t := os.Getenv("COLORTERM"); t == "truecolor" || t == "24bit" {
		return fmt.Sprintf("2;%d;%d;%d", c.R, c.G, c.B)
	}
	level := func(v uint8) int { // the levels are 0, 95, 135, 175, 215, 255
		return max(0, min(5, (int(v)-35)/40))
	}
	return fmt.Sprintf("5;%d", 16+36*level(c.R)+6*level(c.G)+level(c.B))
}
