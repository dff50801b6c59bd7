package nvme

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// Source says where a figure is from: P is the BaM paper's text, A its public artifact, G the paper of GoFS, D derived
// here from those, X chosen here.
type Source string

// SSD is a kind of disk. Rates are commands a second at their best, of random blocks.
type SSD struct {
	Name, Product        string
	Read512, Read4096    float64
	Write512, Write4096  float64
	Latency              time.Duration // of one command alone
	Pairs                int           // of queues that it has
	DollarsPerGB         float64       // with its share of slots and switches; 0 where nobody says
	WritesPerDay         float64       // of all of it that it endures; 0 where nobody says
	Rates, Late, Dollars Source        // where these are from
	LatencyAtPeak        time.Duration // as printed, for comparison; 0 where it is not
}

// SSDs are the kinds there are, by the names that [ParseConfig] takes. The first five rows are table 2 of the BaM
// paper, as far as that prints a range the middle of it or what the artifact's logs say; the last is GoFS's.
var SSDs = []SSD{
	{"dram", "DDR4 DIMM", 10e6, 10e6, 10e6, 10e6, 100 * time.Nanosecond, 128, 11.13, 1000, "P", "P", "P", 0},
	{"optane", "Intel Optane P5800X", 5.1e6, 1.5e6, 1e6, 1.5e6, 11 * time.Microsecond, 128, 2.54, 100, "P", "P", "P", 11 * time.Microsecond},
	{"pm1735", "Samsung PM1735", 1.1e6, 1.6e6, 351e3, 351e3, 25 * time.Microsecond, 128, 2.56, 3, "P", "P", "P", 0},
	{"980pro", "Samsung 980 PRO", 800e3, 800e3, 172e3, 172e3, 100 * time.Microsecond, 128, 0.51, 0.3, "A", "P", "P", 324 * time.Microsecond},
	{"990pro", "Samsung 990 PRO", 5.4e9 / 4096, 5.4e9 / 4096, 6.1e9 / 4096, 6.1e9 / 4096, 50 * time.Microsecond, 16, 0, 0, "G", "X", "X", 0},
}

// Named returns the kind of that name.
func Named(name string) (SSD, error) {
	for _, s := range SSDs {
		if s.Name == name {
			return s, nil
		}
	}
	var names []string
	for _, s := range SSDs {
		names = append(names, s.Name)
	}
	return SSD{}, fmt.Errorf("there is no SSD %q; there are %s", brief.Text(name), strings.Join(names, ", "))
}

// Peak is how many commands of so many bytes it carries out in a second at best: the figure for 512 or 4,096 bytes,
// between these on the line that joins the times of both, and as many bytes a second above.
func (s SSD) Peak(op Op, bytes int) float64 {
	small, large := s.Read512, s.Read4096
	if op == Write {
		small, large = s.Write512, s.Write4096
	}
	switch {
	case bytes <= BlockBytes:
		return small
	case bytes >= 4096:
		return large * 4096 / float64(bytes)
	}
	part := float64(bytes-BlockBytes) / (4096 - BlockBytes)
	return 1 / ((1-part)/small + part/large)
}

// Gain is how many times less a gigabyte of it costs than one of DRAM; 0 where nobody says.
func (s SSD) Gain() float64 {
	if s.DollarsPerGB == 0 {
		return 0
	}
	return SSDs[0].DollarsPerGB / s.DollarsPerGB
}

// InFlight is Little's law: how many commands of so many bytes must be under way to fill a link of so many bytes a
// second, when each takes a latency.
func InFlight(bytesPerSecond float64, bytes int, latency time.Duration) float64 {
	return bytesPerSecond / float64(bytes) * latency.Seconds()
}

// Order is what makes sure that bytes which an SSD has put into a GPU's memory are there when the completion is:
// nothing, a second read after each, or one second read for all that were completed meanwhile (section 3.5 of the
// paper).
type Order string

// The orders.
const (
	None      Order = "none"
	Naive     Order = "naive"
	Coalesced Order = "coalesced"
)

// Config is a machine: a GPU with SSDs behind one link. The zero value of a field is what the paper has.
type Config struct {
	SSD      SSD
	SSDs     int     // 1
	Pairs    int     // of queues of each SSD; 128, or what it has
	Depth    int     // of a queue; 1024
	Striped  bool    // lines lie on the SSDs in turn; otherwise each has all, a read goes to one in turn, a write to all
	Line     int     // bytes of a stripe; 4096
	InFlight int     // commands that are under way at most: threads that wait for one each; 262,144
	Second   Order   // none
	Choice   Choice  // of the pair of queues for a command; in turn
	Link     float64 // bytes a second; 25.4e9

	// A doorbell is a write across the link, during which the queue's lock is held, and so it is for each command that
	// it tells of; 800 ns and 5 ns. Commands of a pair are carried out at PairRate at most, 38,800 a second.
	Doorbell, Sweep time.Duration
	PairRate        float64
}

// Choice says which pair of its SSD's queues a command goes to.
type Choice string

// The choices: each pair in turn, as the paper's benchmark of blocks has it; or the pair with the number of the SM that
// the thread is on, as the artifact has it in kernels.
const (
	InTurn Choice = "in turn"
	BySM   Choice = "by SM"
)

// Figures of the machine of the paper.
const (
	usualLink     = 25.4e9 // D: with 43 bytes for each command it gives 45.8e6 of 512 bytes, and 25.1 GB/s of 4,096
	commandOnLink = 43     // D
	usualPairRate = 38.8e3 // D: 4 SSDs at 6.2e6 a second get slower from 40 pairs each down
	usualDoorbell = 800 * time.Nanosecond
	usualSweep    = 5 * time.Nanosecond
	usualInFlight = 262144
)

func (c Config) withDefaults() Config {
	if c.SSD.Name == "" {
		c.SSD = SSDs[1]
	}
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&c.SSDs, 1)
	set(&c.Pairs, c.SSD.Pairs)
	set(&c.Depth, 1024)
	set(&c.Line, 4096)
	set(&c.InFlight, usualInFlight)
	if c.Second == "" {
		c.Second = None
	}
	if c.Choice == "" {
		c.Choice = InTurn
	}
	if c.Link == 0 {
		c.Link = usualLink
	}
	if c.Doorbell == 0 {
		c.Doorbell = usualDoorbell
	}
	if c.Sweep == 0 {
		c.Sweep = usualSweep
	}
	if c.PairRate == 0 {
		c.PairRate = usualPairRate
	}
	return c
}

func (c Config) check() error {
	switch {
	case c.SSDs < 1 || c.SSDs > 1024:
		return fmt.Errorf("%d SSDs; there are 1 to 1024", c.SSDs)
	case c.Pairs < 1 || c.Pairs > 65535:
		return fmt.Errorf("%d pairs of queues; there are 1 to 65535", c.Pairs)
	case c.Depth < 2 || c.Depth > 1<<16 || c.Depth&(c.Depth-1) != 0:
		return fmt.Errorf("queues of %d entries; their number is a power of two, from 2 to 65536", c.Depth)
	case c.InFlight < 1:
		return fmt.Errorf("%d commands under way; it is 1 or more", c.InFlight)
	case c.Line < BlockBytes:
		return fmt.Errorf("lines of %d bytes; SSDs have blocks of %d", c.Line, BlockBytes)
	case !slices.Contains([]Order{None, Naive, Coalesced}, c.Second):
		return fmt.Errorf("there is no order %q; there are %q, %q and %q", brief.Text(string(c.Second)), None, Naive, Coalesced)
	case c.Choice != InTurn && c.Choice != BySM:
		return fmt.Errorf("there is no choice %q of queues; there are %q and %q", brief.Text(string(c.Choice)), InTurn, BySM)
	case c.Link <= 0 || c.PairRate <= 0 || math.IsNaN(c.Link+c.PairRate):
		return fmt.Errorf("rates are above 0")
	}
	return nil
}

// String is the machine's name, as "optane*4".
func (c Config) String() string {
	s := c.SSD.Name
	if c.SSDs > 1 {
		s += "*" + strconv.Itoa(c.SSDs)
	}
	if c.Choice == BySM {
		s += " " + string(BySM)
	}
	return s
}

// ParseConfig reads a machine's name: the name of a kind of SSD, and how many there are, as "optane*4". "sim:" may
// stand before it, and " by SM" behind, which is the Choice.
func ParseConfig(name string) (Config, error) {
	name, bySM := strings.CutSuffix(name, " "+string(BySM))
	kind, many, several := strings.Cut(strings.TrimPrefix(name, "sim:"), "*")
	s, err := Named(kind)
	if err != nil {
		return Config{}, err
	}
	c := Config{SSD: s, SSDs: 1}
	if bySM {
		c.Choice = BySM
	}
	if several {
		if c.SSDs, err = strconv.Atoi(many); err != nil || c.SSDs < 1 || c.SSDs > 1024 {
			return Config{}, fmt.Errorf("%s SSDs in %q: give 1 to 1024, as in %q", cmp.Or(brief.Text(many), "no"), brief.Text(name), kind+"*4")
		}
	}
	return c.withDefaults(), nil
}
