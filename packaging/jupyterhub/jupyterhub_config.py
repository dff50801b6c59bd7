"""A JupyterHub with the kernel for everybody on one machine. Once, as root:

    pip install jupyterhub jupyterlab jupyterlab_widgets && npm install -g configurable-http-proxy
    arrayrepl install --prefix /usr/local
    jupyterhub -f jupyterhub_config.py

People log in with their accounts of the machine (PAM), and each server runs as its user. Each session keeps its memory
within what the kernel finds free when it starts; a limit for all that a person runs is a matter of the spawner.
"""
c = get_config()  # noqa: F821, JupyterHub defines it

c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # behind a proxy with a certificate, or with c.JupyterHub.ssl_cert and ssl_key
c.Authenticator.allow_all = True  # everybody who can log in; or allowed_users = {"ann", "bob"}
c.Spawner.default_url = "/lab"
