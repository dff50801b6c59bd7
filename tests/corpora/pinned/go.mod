module github.com/arrayrepl/arrayrepl/tests/corpora/pinned

go 1.26.0

require (
	github.com/emirpasic/gods v1.18.1 // indirect
	github.com/samber/lo v1.53.0 // indirect
	golang.org/x/text v0.23.0 // indirect
	golang.org/x/tools v0.30.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)
