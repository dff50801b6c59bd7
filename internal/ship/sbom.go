package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
)

// A bill of materials as CycloneDX 1.6 has it: https://cyclonedx.org/docs/1.6/json. The modules are those that the
// linker wrote into the binary.
type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   billAbout   `json:"metadata"`
	Components []component `json:"components"`
}

type billAbout struct {
	Component component `json:"component"`
}

type component struct {
	Type     string         `json:"type"`
	Name     string         `json:"name"`
	Version  string         `json:"version,omitempty"`
	PURL     string         `json:"purl,omitempty"`
	Hashes   []billHash     `json:"hashes,omitempty"`
	Licences []billLicence  `json:"licenses,omitempty"`
	More     []billProperty `json:"properties,omitempty"`
}

type billHash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type billLicence struct {
	Expression string `json:"expression"`
}

type billProperty struct{ Name, Value string }

func (p billProperty) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"name": p.Name, "value": p.Value})
}

func sbomCommand(args []string) error {
	o, rest, err := parse("sbom", args, 1)
	if err != nil {
		return err
	}
	data, err := sbomOf(rest[0], o.version)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(data)
	return err
}

func sbomOf(binary, version string) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	about := component{Type: "application", Name: info.Main.Path, Version: version, PURL: purl(info.Main.Path, version),
		Hashes: []billHash{{"SHA-256", hex.EncodeToString(sum[:])}}, Licences: []billLicence{{"Apache-2.0"}}}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS", "GOARCH", "CGO_ENABLED", "-tags", "vcs.revision", "vcs.time":
			about.More = append(about.More, billProperty{"build:" + s.Key, s.Value})
		}
	}
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: billAbout{about}}
	found, err := licencesOf(info)
	if err != nil {
		return nil, err
	}
	for _, l := range found {
		c := component{Type: "library", Name: l.Name, Version: l.Version, PURL: purl(l.Name, l.Version)}
		if l.Licence != "" {
			c.Licences = []billLicence{{l.Licence}}
		}
		if h, ok := strings.CutPrefix(l.Sum, "h1:"); ok { // of the module's file list, by Go's dirhash
			if raw, err := base64.StdEncoding.DecodeString(h); err == nil {
				c.Hashes = []billHash{{"SHA-256", hex.EncodeToString(raw)}}
			}
		}
		if l.npm {
			c.PURL = "pkg:npm/" + l.Name + "@" + l.Version
		}
		b.Components = append(b.Components, c)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(b)
	return out.Bytes(), err
}

// purl is the package URL of a Go module.
func purl(path, version string) string {
	return "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
}
