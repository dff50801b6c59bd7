module github.com/arrayrepl/arrayrepl

go 1.26.0

require (
	github.com/apache/arrow-go/v18 v18.8.0
	github.com/creack/pty v1.1.24
	github.com/ebitengine/purego v0.11.3
	github.com/go-echarts/go-echarts/v2 v2.6.7
	github.com/google/flatbuffers v25.12.19+incompatible
	github.com/google/licensecheck v0.3.1
	github.com/goplus/ixgo v1.1.1
	github.com/goplus/reflectx v1.7.8
	github.com/klauspost/compress v1.19.2
	github.com/mattn/go-runewidth v0.0.20
	github.com/mattn/go-sixel v0.0.14
	github.com/microcosm-cc/bluemonday v1.0.27
	github.com/stretchr/testify v1.12.1
	github.com/traefik/yaegi v0.16.1
	github.com/visualfc/funcval v0.1.5
	github.com/visualfc/gid v0.3.1
	github.com/visualfc/goembed v0.3.4
	golang.org/x/crypto v0.58.0
	golang.org/x/image v0.30.0
	golang.org/x/mod v0.42.0
	golang.org/x/net v0.61.0
	golang.org/x/sync v0.24.0
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
	golang.org/x/tools v0.52.0
	gonum.org/v1/gonum v0.17.0
	gonum.org/v1/plot v0.17.0
	src.elv.sh v0.21.0
)

require (
	codeberg.org/go-pdf/fpdf v0.11.1 // indirect
	github.com/aymerick/douceur v0.2.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/cosmos72/gomacro v0.0.0-20220530072503-c719ab5c40fc // indirect
	github.com/go-zeromq/goczmq/v4 v4.2.2 // indirect
	github.com/go-zeromq/zmq4 v0.14.1 // indirect
	github.com/goccy/go-json v0.10.6 // indirect
	github.com/gofrs/uuid v4.2.0+incompatible // indirect
	github.com/gopherdata/gophernotes v0.7.5 // indirect
	github.com/gorilla/css v1.0.1 // indirect
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	github.com/peterh/liner v1.2.2 // indirect
	github.com/pierrec/lz4/v4 v4.1.29 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/exp v0.0.0-20260112195511-716be5621a96 // indirect
)

require (
	codeberg.org/go-fonts/liberation v0.5.0 // indirect
	codeberg.org/go-latex/latex v0.2.0 // indirect
	git.sr.ht/~sbinet/gg v0.7.0 // indirect
	github.com/ajstarks/svgo v0.0.0-20211024235047-1546f124cd8b // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/soniakeys/quant v1.0.0 // indirect
	github.com/timandy/routine v1.1.6 // indirect
	github.com/visualfc/xtype v0.3.2 // indirect
	github.com/yuin/goldmark v1.8.7
	golang.org/x/text v0.43.0
)

tool github.com/gopherdata/gophernotes

// The terminal's editor comes with a language server's protocol, which nothing here links and whose host is often not there: go doc
// asks for each module of the graph.
exclude pkg.nimblebun.works/go-lsp v1.1.0
