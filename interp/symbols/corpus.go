package symbols

import _ "github.com/arrayrepl/arrayrepl/gpu/corpus" // cells have gpu.Corpus
