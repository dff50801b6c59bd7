package viz

import (
	"fmt"
	"strings"
	"testing"
)

// A histogram's text has every value, whatever the number of bins: the few far from the rest above all.
func TestTextOfAHistogramReachesBothEnds(t *testing.T) {
	x := make([]int, 0, 1001)
	for i := range 1000 {
		x = append(x, i%10)
	}
	x = append(x, 100)
	for _, c := range []struct {
		bins, lines int
		says        string
	}{
		{1, 1, ""},
		{20, 20, ""},
		{21, 11, "Each line is 2 of the 21 bins, the last 1, up to 100."},
		{30, 15, "Each line is 2 of the 30 bins, up to 100."},
		{100, 20, "Each line is 5 of the 100 bins, up to 100."},
		{1000, 20, "Each line is 50 of the 1000 bins, up to 100."},
	} {
		text := Hist(x, c.bins, Title("t")).String()
		lines := strings.Split(text, "\n")[1:]
		if c.says != "" {
			if last := lines[len(lines)-1]; last != c.says {
				t.Errorf("%d bins: %q, want %q", c.bins, last, c.says)
			}
			lines = lines[:len(lines)-1]
		}
		total := 0
		for _, line := range lines {
			n := 0
			fields := strings.Fields(line)
			fmt.Sscan(fields[len(fields)-1], &n)
			total += n
		}
		if len(lines) != c.lines || total != len(x) || c.bins > 1 && !strings.HasSuffix(lines[len(lines)-1], " 1") {
			t.Errorf("%d bins: %d lines of %d values:\n%s", c.bins, len(lines), total, text)
		}
	}
}
