// Package notebook reads, runs and writes .ipynb files (nbformat 4) without a Jupyter server.
//
// [Read] loads a [Notebook]; [Run] sends its code cells through a kernel.Session and puts what they show where Jupyter
// would put it; [Notebook.Write] saves it, as nbformat 4.5, so that the file differs from what Jupyter itself would
// save as little as can be. Whatever a file holds beside the fields known here (metadata, attachments, fields of later
// versions) is carried through as it was.
//
// The package must never know what language the cells are in, nor speak to a socket.
package notebook
