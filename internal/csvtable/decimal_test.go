package csvtable

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// sameAsStrconv reports how decimal differs from strconv.ParseFloat; "" when it does not, or refuses.
func sameAsStrconv(s string) string {
	v, ok := decimal(s)
	if !ok {
		return ""
	}
	want, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return "strconv refuses " + strconv.Quote(s)
	}
	if math.Float64bits(v) != math.Float64bits(want) {
		return strconv.Quote(s) + " gives " + strconv.FormatFloat(v, 'x', -1, 64) + ", strconv " + strconv.FormatFloat(want, 'x', -1, 64)
	}
	return ""
}

// TestDecimals: what decimal reads, it reads as strconv does, to the bit; and it reads what tables are made of.
func TestDecimals(t *testing.T) {
	testsize.InTurn(t, 0)
	random := rand.New(rand.NewPCG(1, 2))
	read, all := 0, 0
	try := func(s string) {
		if _, ok := decimal(s); ok {
			read++
		}
		all++
		if fault := sameAsStrconv(s); fault != "" {
			t.Fatal(fault)
		}
	}
	for range 300_000 {
		x := (random.Float64() - 0.5) * math.Pow(10, float64(random.IntN(7)-2))
		try(strconv.FormatFloat(x, 'g', -1, 64))
		try(strconv.FormatFloat(x, 'f', random.IntN(12), 64))
		try(strconv.FormatInt(random.Int64()>>random.IntN(64), 10))
		// Ties between two float64: half of an ulp beside a number of few digits, whole and with a point.
		half := random.Uint64()>>11 | 1<<52
		try(strconv.FormatUint(half<<1|1, 10))
		d := strconv.FormatUint(random.Uint64N(1e18), 10)
		at := random.IntN(len(d) + 1)
		try(d[:at] + "." + d[at:])
		try(d[:at] + "." + d[at:] + "e" + strconv.Itoa(random.IntN(41)-20))
	}
	if float64(read) < 0.9*float64(all) {
		t.Errorf("%d of %d numbers were read", read, all)
	}
	for _, s := range []string{"0", "-0", "+1", "1.", ".5", "-.5", "0.5", "0.1", "9007199254740993", "9007199254740992.5", "9999999999999999999", "1e19", "1e-19", "0.000000000000000001", "00012", "1E2", "1e+2"} {
		if _, ok := decimal(s); !ok || sameAsStrconv(s) != "" {
			t.Errorf("%q: %v %s", s, ok, sameAsStrconv(s))
		}
	}
	for _, s := range []string{"", "-", ".", "+.", "e5", "1e", "1e+", "1_000", "0x10", "1 ", " 1", "inf", "NaN", "1.2.3", "1,5", "--1", "1e1.5", "12345678901234567890", strings.Repeat("0", 20), "1e9999"} {
		if v, ok := decimal(s); ok {
			t.Errorf("%q is read as %v", s, v)
		}
	}
}

func FuzzDecimal(f *testing.F) {
	f.Add("1.5e3")
	f.Add("-12345678.12345678")
	f.Fuzz(func(t *testing.T, s string) {
		if fault := sameAsStrconv(s); fault != "" {
			t.Error(fault)
		}
	})
}
