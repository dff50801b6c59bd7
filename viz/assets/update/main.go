// Command update fetches the echarts release that viz embeds, checks it, and writes it compressed into assets with its
// licence and a README. Run it with `go generate ./viz`; it needs npm and the network. To move to another release,
// change version and digest here.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	version = "6.1.0"
	digest  = "b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0" // of dist/echarts.min.js
)

const readme = `# Embedded assets

| file | what it is |
|---|---|
| echarts.min.js.gz | Apache ECharts %[1]s, ` + "`dist/echarts.min.js`" + ` of the npm package ` + "`echarts@%[1]s`" + `, unchanged, gzip-compressed |
| echarts-LICENSE | its licence, Apache-2.0, with the BSD 3-Clause notice of the d3 parts in it |
| echarts-NOTICE | its notice |
| runtime.js | ours: draws charts with it |

sha256 of the uncompressed echarts.min.js: %[2]s

Written by ` + "`go generate ./viz`" + ` (assets/update), which checks the sum.
`

func main() {
	log.SetFlags(0)
	tmp, err := os.MkdirTemp("", "echarts")
	check(err)
	defer os.RemoveAll(tmp)
	cmd := exec.Command("npm", "pack", "--silent", "--pack-destination", tmp, "echarts@"+version)
	cmd.Stderr = os.Stderr
	check(cmd.Run())
	files := untar(filepath.Join(tmp, "echarts-"+version+".tgz"))

	script := files["package/dist/echarts.min.js"]
	if sum := fmt.Sprintf("%x", sha256.Sum256(script)); sum != digest {
		log.Fatalf("echarts@%s: dist/echarts.min.js has sha256 %s, want %s", version, sum, digest)
	}
	var z bytes.Buffer
	w, err := gzip.NewWriterLevel(&z, gzip.BestCompression) // no name, no time: the same bytes on every run
	check(err)
	_, err = w.Write(script)
	check(err)
	check(w.Close())

	licence := append(files["package/LICENSE"], '\n')
	licence = append(licence, files["package/licenses/LICENSE-d3"]...)
	for name, data := range map[string][]byte{
		"echarts.min.js.gz": z.Bytes(),
		"echarts-LICENSE":   licence,
		"echarts-NOTICE":    files["package/NOTICE"],
		"README.md":         fmt.Appendf(nil, readme, version, digest),
	} {
		if len(data) == 0 {
			log.Fatalf("echarts@%s: nothing for %s in the package", version, name)
		}
		check(os.WriteFile(filepath.Join("assets", name), data, 0o644))
	}
}

// untar reads the files of a .tgz into memory.
func untar(path string) map[string][]byte {
	f, err := os.Open(path)
	check(err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	check(err)
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		check(err)
		files[h.Name], err = io.ReadAll(r)
		check(err)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
