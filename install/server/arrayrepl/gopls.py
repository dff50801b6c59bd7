"""gopls for the cells of notebooks, where it is installed: `arrayrepl gopls` stands between jupyter-lsp and it."""

import os
import shutil

from . import find


def language_server():
    """What jupyter-lsp is to start, None where gopls is not installed."""
    places = [os.environ.get("GOBIN"), *(os.path.join(d, "bin") for d in os.environ.get("GOPATH", "").split(os.pathsep) if d),
              os.path.expanduser(os.path.join("~", "go", "bin"))]
    gopls = os.environ.get("GOPLS") or shutil.which("gopls") or shutil.which("gopls", path=os.pathsep.join(filter(None, places)))
    try:
        program = os.environ.get("ARRAYREPL_PROGRAM") or find()  # the variable is of arrayrepl lab
    except FileNotFoundError:
        return None
    if not gopls or not shutil.which(gopls):
        return None
    return {
        "version": 2, "argv": [program, "gopls"], "env": {"GOPLS": gopls}, "languages": ["go"], "mime_types": ["text/x-go"],
        "display_name": "gopls for cells", "requires_documents_on_disk": False,
        "urls": {"home": "https://go.dev/gopls", "issues": "https://github.com/golang/go/issues"},
        "install": {"go": "go install golang.org/x/tools/gopls@latest"},
    }
