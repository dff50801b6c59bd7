// Package langserver lets gopls, the language server of Go, answer questions about a notebook's cells: it stands
// between an editor and gopls, and speaks the Language Server Protocol to both.
//
// An editor such as JupyterLab with jupyterlab-lsp sends a notebook as one virtual document: the cells' text, with two
// empty lines after each cell. [Document] makes a Go file of that, in which each byte of the cells keeps a place, and
// maps positions both ways. [Proxy] rewrites the messages: addresses, positions, and names. What gopls finds wrong
// with the file is not passed on, since cells are not plain Go: the kernel checks them.
package langserver
