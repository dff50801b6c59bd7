package offload

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Links are the rates of copies between the GPUs of a machine and its host, in GB/s, as [Probe] measures them or
// [ReadLinks] reads them.
type Links struct {
	Names []string    // of the devices, by their numbers; none of those that were read
	Rates [][]float64 // from each to each; the last row and column are the host's

	together float64 // GB/s of copies from the host to all devices at once; 0 where that is not known
}

// CPU is the host's number among the devices of Links.
const CPU = -1

// Rate returns how fast copies are from one device to another, by their numbers, or CPU, in GB/s. It panics where there
// is no such number.
func (l *Links) Rate(from, to int) float64 { return l.Rates[l.at(from)][l.at(to)] }

// Together returns how many GB/s the host copies to all devices at once; 0 where that is not known, as of links that
// were read.
func (l *Links) Together() float64 { return l.together }

// Devices returns how many devices there are beside the host.
func (l *Links) Devices() int { return len(l.Rates) - 1 }

// Name returns what a device is called, "" where that is not known, and "host" for CPU.
func (l *Links) Name(number int) string {
	if number = l.at(number); number < len(l.Names) {
		return l.Names[number]
	} else if number == l.Devices() {
		return "host"
	}
	return ""
}

func (l *Links) at(number int) int {
	if number < CPU || number >= l.Devices() {
		panic(fmt.Sprintf("offload: there is no device %d; there are 0 to %d, and -1, the CPU", number, l.Devices()-1))
	}
	if number == CPU {
		return l.Devices()
	}
	return number
}

// Write writes l as CSV: a row From,To,Bandwidth in GB/s for each ordered pair of different places, -1 for the host,
// and for each device a row of copies within it.
func (l *Links) Write(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"From", "To", "Bandwidth"})
	for from := CPU; from < l.Devices(); from++ {
		for to := CPU; to < l.Devices(); to++ {
			if from != CPU || to != CPU {
				out.Write([]string{strconv.Itoa(from), strconv.Itoa(to), strconv.FormatFloat(l.Rate(from, to), 'f', 3, 64)})
			}
		}
	}
	out.Flush()
	return out.Error()
}

// ReadLinks reads what Links.Write writes, and the files that GrCUDA's probe writes, which have only the rows from the
// host to devices, not those back: each rate is rounded down, and both directions of a pair get the mean of the two,
// or what the one has. Errors name the line.
func ReadLinks(r io.Reader) (*Links, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxLinksText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("links: %w", err)
	case len(text) > maxLinksText:
		return nil, fmt.Errorf("links: the file has more than %d MB", maxLinksText>>20)
	}
	in := csv.NewReader(bytes.NewReader(text))
	in.FieldsPerRecord = 3
	given := map[[2]int]float64{}
	devices := 0
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("links: %w", err)
		}
		line, _ := in.FieldPos(0)
		if line == 1 && strings.EqualFold(strings.TrimSpace(row[0]), "from") {
			continue
		}
		var pair [2]int
		for i := range pair {
			if pair[i], err = strconv.Atoi(strings.TrimSpace(row[i])); err != nil || pair[i] < CPU || pair[i] >= maxLinked {
				return nil, fmt.Errorf("links, line %d: %.20q is not a number of a device, -1 to %d", line, row[i], maxLinked-1)
			}
			devices = max(devices, pair[i]+1)
		}
		rate, err := strconv.ParseFloat(strings.TrimSpace(row[2]), 64)
		if err != nil || !(rate >= 0) || math.IsInf(rate, 0) {
			return nil, fmt.Errorf("links, line %d: %.20q is not a bandwidth in GB/s, 0 or more", line, row[2])
		}
		if _, twice := given[pair]; twice {
			return nil, fmt.Errorf("links, line %d: the pair %d,%d is there twice", line, pair[0], pair[1])
		}
		given[pair] = math.Floor(rate)
	}
	if devices == 0 {
		return nil, errors.New("links: there is no row From,To,Bandwidth of a device")
	}
	l := newLinks(devices)
	for from := CPU; from < devices; from++ {
		for to := CPU; to < devices; to++ {
			there, ok := given[[2]int{from, to}]
			back, both := given[[2]int{to, from}]
			switch {
			case from == CPU && to == CPU:
			case ok && both:
				l.Rates[l.at(from)][l.at(to)] = (there + back) / 2
			case ok || both:
				l.Rates[l.at(from)][l.at(to)] = there + back
			default:
				return nil, fmt.Errorf("links: there is no row for the pair %d,%d", from, to)
			}
		}
	}
	return l, nil
}

// Bounds of a file: of its devices, and of its bytes, which a row for each pair of so many devices does not reach.
const (
	maxLinked    = 1024
	maxLinksText = 64 << 20
)

func newLinks(devices int) *Links {
	l := &Links{Rates: make([][]float64, devices+1)}
	for i := range l.Rates {
		l.Rates[i] = make([]float64, devices+1)
	}
	return l
}

// String is a table for people, in GB/s.
func (l *Links) String() string {
	var b strings.Builder
	name := func(i int) string {
		if i == l.Devices() {
			return "CPU"
		}
		return strconv.Itoa(i)
	}
	b.WriteString("GB/s")
	for to := range l.Rates {
		fmt.Fprintf(&b, "%8s", name(to))
	}
	for from, row := range l.Rates {
		fmt.Fprintf(&b, "\n%4s", name(from))
		for to, rate := range row {
			if from == to && from == l.Devices() {
				fmt.Fprintf(&b, "%8s", "")
				continue
			}
			fmt.Fprintf(&b, "%8.4g", rate)
		}
	}
	return b.String()
}
