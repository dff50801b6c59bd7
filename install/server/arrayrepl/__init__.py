"""The arrayrepl kernel for Jupyter: a Go notebook for array computing.

The program is a binary, `arrayrepl`; `find()` says where it is. The package is an extension of Jupyter's server too: it keeps
in a notebook's metadata what the notebook carries (see carried.py), and has jupyter-lsp ask gopls about cells (gopls.py).
"""

import os
import shutil
import sys
import sysconfig


def find():
    """The path of the arrayrepl program that was installed with this package, else of the one on the PATH."""
    name = "arrayrepl.exe" if os.name == "nt" else "arrayrepl"
    schemes = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=f"{os.name}_user"), os.path.dirname(sys.executable)]
    for path in [os.path.join(d, name) for d in schemes] + [shutil.which(name)]:
        if path and os.path.isfile(path):
            return path
    raise FileNotFoundError("the arrayrepl program is neither beside this Python nor on the PATH: install the package again")


def _jupyter_server_extension_points():
    return [{"module": "arrayrepl"}]


def _link_jupyter_server_extension(app):
    """Makes gopls known to jupyter-lsp, which reads it when it is loaded: a server of that name in the user's own settings stays."""
    from .gopls import language_server

    servers = dict(app.config.LanguageServerManager.get("language_servers", {}))
    if spec := language_server():
        servers.setdefault("arrayrepl-gopls", spec)
        app.config.LanguageServerManager.language_servers = servers


def _load_jupyter_server_extension(app):
    from tornado.ioloop import IOLoop

    from .carried import keep

    managers = []

    def register():
        if not any(m is app.contents_manager for m in managers):
            managers.append(app.contents_manager)
            app.contents_manager.register_pre_save_hook(keep)

    register()
    IOLoop.current().add_callback(register)  # an extension that is loaded later may bring another one, as Jupytext does
