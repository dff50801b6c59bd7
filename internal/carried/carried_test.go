package carried

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestFile(t *testing.T) {
	small, err := NewFile([]byte("abc"))
	if err != nil {
		t.Fatal(err)
	}
	// FIPS 180-2, appendix B.1
	if want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; small.SHA256 != want {
		t.Errorf("SHA-256 of abc is %s", small.SHA256)
	}
	if got, err := small.Content(); err != nil || string(got) != "abc" {
		t.Errorf("%q, %v", got, err)
	}
	noise := make([]byte, 2*Limit)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	if large, err := NewFile(noise); err != nil || large.Gzip != nil || large.Size != 2*Limit {
		t.Errorf("%d bytes are carried, %v", len(large.Gzip), err)
	}
	if zeros, err := NewFile(make([]byte, 20*Limit)); err != nil || zeros.Gzip == nil {
		t.Errorf("20 MB of zeros, which pack well, are not carried: %v", err)
	}
}

// What somebody has tampered with, or made to fill the memory, is refused.
func TestDamaged(t *testing.T) {
	good, _ := NewFile(bytes.Repeat([]byte("ab"), 1000))
	for name, f := range map[string]File{
		"no gzip":        {Size: 2000, SHA256: good.SHA256, Gzip: []byte("nothing")},
		"cut":            {Size: 2000, SHA256: good.SHA256, Gzip: good.Gzip[:len(good.Gzip)/2]},
		"another":        {Size: 2000, SHA256: Sum([]byte("another")), Gzip: good.Gzip},
		"more than said": {Size: 10, SHA256: good.SHA256, Gzip: good.Gzip},
	} {
		if content, err := f.Content(); err == nil || len(content) > 2000 {
			t.Errorf("%s: %d bytes, %v", name, len(content), err)
		}
	}
}

func TestMergeAndKept(t *testing.T) {
	a, _ := NewFile([]byte("a"))
	named := File{Size: a.Size, SHA256: a.SHA256}
	changed, _ := NewFile([]byte("b"))
	var s Set
	s.Merge(Set{Modules: map[string]Module{"x.y/z": {Version: "v1.0.0"}}, Data: map[string]File{"f": a, "g": a}})
	s.Merge(Set{Modules: map[string]Module{"x.y/z/more": {Version: "v2.0.0"}}, Data: map[string]File{"f": named, "g": changed}})
	if !bytes.Equal(s.Data["f"].Gzip, a.Gzip) || s.Data["g"].SHA256 != changed.SHA256 {
		t.Errorf("%+v", s)
	}
	if path, m := s.ModuleOf("x.y/z/more/pkg"); path != "x.y/z/more" || m.Version != "v2.0.0" {
		t.Errorf("%s %v", path, m)
	}
	if path, _ := s.ModuleOf("x.y/zz"); path != "" {
		t.Errorf("x.y/zz is taken for a package of %s", path)
	}
	kept := Kept(s, Set{Data: map[string]File{"f": a}}, []string{"1 + 1", "x := 1\n%data f"})
	if want := (Set{Data: map[string]File{"f": named}}); !reflect.DeepEqual(kept, want) {
		t.Errorf("kept %+v", kept)
	}
	if all := Agreed([]Set{{Data: map[string]File{"f": a, "h": a}}, {Data: map[string]File{"f": changed}}}); len(all.Data) != 1 || all.Data["h"].Gzip == nil {
		t.Errorf("agreed %+v", all)
	}
}

func TestAsked(t *testing.T) {
	files, modules := Asked(strings.Join([]string{"x := `", "no", "`", "%data a.csv", "  %data \"b c.csv\" https://x.y", "%data 'd e'", "%database f"}, "\n"))
	if want := []string{"a.csv", "b c.csv", "d e"}; !reflect.DeepEqual(files, want) || modules {
		t.Errorf("%q, %v", files, modules)
	}
	if _, modules = Asked("%get github.com/a/b"); !modules {
		t.Error("a line that fetches is not found")
	}
}
