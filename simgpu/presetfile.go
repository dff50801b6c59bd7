package simgpu

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"

	"github.com/arrayrepl/arrayrepl/internal/brief"
)

// presetFile is a machine as a file has it: the name of a preset and the fields that differ from it.
//
//	{"Base": "h200", "Title": "the card under my desk", "SMs": 114, "Units": {"fp64": {"Latency": 16, "Lanes": 8}}}
type presetFile struct {
	Base string
	*Preset
	Units      map[string]UnitTiming // by the unit's name
	Scheduling string                // the issue policy's name
	Coalescing string                // the rule's name
}

var issuePolicies = []IssuePolicy{GTO{}, LRR{}, Oldest{}, TwoLevel{}, Barrel{}}

// isPresetFile reports whether a machine's name is that of a file.
func isPresetFile(name string) bool { return strings.HasSuffix(name, ".json") }

// readPreset returns the machine of a file, under the file's path as its name.
func readPreset(path string) (Preset, error) {
	data, err := budget.ReadFile(path, "the file", budget.SmallFile)
	if err != nil {
		return Preset{}, fmt.Errorf("simulated GPU: %w", err)
	}
	p, err := parsePreset(path, data)
	if err != nil {
		return Preset{}, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func parsePreset(name string, data []byte) (Preset, error) {
	var head struct{ Base string }
	if err := json.Unmarshal(data, &head); err != nil {
		return Preset{}, inLine(data, err)
	}
	if head.Base == "" {
		return Preset{}, fmt.Errorf(`"Base" must name the machine that it changes, one of %s`, strings.Join(Names(), ", "))
	}
	if isPresetFile(head.Base) {
		return Preset{}, fmt.Errorf(`"Base" is %q, must be one of %s`, head.Base, strings.Join(Names(), ", "))
	}
	p, err := PresetByName(head.Base)
	if err != nil {
		return Preset{}, err
	}
	p.Name = name
	f := presetFile{Preset: &p}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return Preset{}, inLine(data, err)
	}
	for unit, timing := range f.Units {
		u := slices.Index(unitNames[:], unit)
		if u < 0 {
			return Preset{}, fmt.Errorf("its Units have %s; there are %s", brief.Quoted(unit), strings.Join(unitNames[:], ", "))
		}
		p.Units[u] = timing
	}
	if f.Coalescing != "" {
		c := slices.Index(coalescingNames[:], f.Coalescing)
		if c < 0 {
			return Preset{}, fmt.Errorf("its Coalescing is %s, must be one of %s", brief.Quoted(f.Coalescing), strings.Join(coalescingNames[:], ", "))
		}
		p.Coalescing = Coalescing(c)
	}
	if f.Scheduling != "" {
		i := slices.IndexFunc(issuePolicies, func(p IssuePolicy) bool { return p.Name() == f.Scheduling })
		if i < 0 {
			var names []string
			for _, p := range issuePolicies {
				names = append(names, p.Name())
			}
			return Preset{}, fmt.Errorf("its Scheduling is %q, must be one of %s", f.Scheduling, strings.Join(names, ", "))
		}
		p.Scheduling = issuePolicies[i]
	}
	return p, p.Check()
}

// inLine adds the line to an error of package json that has a place.
func inLine(data []byte, err error) error {
	at := int64(-1)
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &typed):
		at = typed.Offset
		err = fmt.Errorf("%s cannot be a %s", strings.TrimPrefix(typed.Field, "Preset."), typed.Value)
	case errors.Is(err, io.ErrUnexpectedEOF):
		at = int64(len(data))
	}
	if at < 0 || at > int64(len(data)) {
		return errors.New(brief.Reason(err))
	}
	return fmt.Errorf("line %d: %s", 1+bytes.Count(data[:at], []byte("\n")), brief.Reason(err))
}

// File returns p as the text of a file of a machine: what it changes of the preset of the given name. PresetByName,
// Open and Custom read it back under a path that ends in ".json".
func (p Preset) File(base string) ([]byte, error) {
	b, err := PresetByName(base)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n\t\"Base\": %q", b.Name)
	from, to := reflect.ValueOf(b), reflect.ValueOf(p)
	for i := range to.NumField() {
		name, v := to.Type().Field(i).Name, to.Field(i).Interface()
		if name == "Name" || reflect.DeepEqual(from.Field(i).Interface(), v) {
			continue
		}
		switch x := v.(type) {
		case Coalescing:
			v = x.String()
		case IssuePolicy:
			v = x.Name()
		case [NumUnits]UnitTiming:
			changed := map[string]UnitTiming{}
			for u, t := range x {
				if t != b.Units[u] {
					changed[unitNames[u]] = t
				}
			}
			v = changed
		}
		if name == "Scheduling" && v == nil {
			v = GTO{}.Name()
		}
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, ",\n\t%q: %s", name, text)
	}
	out.WriteString("\n}\n")
	return out.Bytes(), nil
}
