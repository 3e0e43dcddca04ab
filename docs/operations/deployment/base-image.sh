#!/bin/sh
# Builds the base image of the Dockerfile when no image registry is reachable: Debian from debootstrap, Node and npm from the npm
# registry. The image gets the name that the Dockerfile uses. Run it as root; it needs debootstrap, npm and buildah (apt-get install):
#
#   sh docs/operations/deployment/base-image.sh
#   buildah build --isolation chroot --format docker -f docs/operations/deployment/Dockerfile -t murmur .
#
# The optional argument is the folder to build in; the default is a new folder in /tmp. Behind a proxy with its own certificate
# authority, set NODE_EXTRA_CA_CERTS to the file of its certificate: the image then trusts it too.
set -eu
cd "$(dirname "$0")/../../.."
name=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' docs/operations/deployment/Dockerfile | head -n 1)
node=$(echo "$name" | sed 's/^node:\([0-9.]*\)-.*/\1/')
debian=$(echo "$name" | sed 's/^node:[0-9.]*-\([a-z]*\).*/\1/')
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) echo "The npm registry has no Node for $(uname -m)." >&2; exit 1 ;;
esac
folder=${1:-$(mktemp -d)}
root=$folder/root

[ -e "$root/etc/debian_version" ] || debootstrap --variant=minbase "$debian" "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
npm pack --silent --pack-destination "$folder" "node-linux-$arch@$node" >/dev/null
tar -xzf "$folder/node-linux-$arch-$node.tgz" -C "$folder" package/bin/node
install -D -m 755 "$folder/package/bin/node" "$root/usr/local/bin/node"
npm install --silent --global --prefix "$root/usr/local" npm@11
ca=${NODE_EXTRA_CA_CERTS:-}
[ -z "$ca" ] || install -D -m 644 "$ca" "$root/usr/local/share/extra-ca.pem"
rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
# The official Node image also has this user.
chroot "$root" sh -c 'getent passwd node >/dev/null || { groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node; }'

container=$(buildah from scratch)
buildah copy --quiet "$container" "$root" / >/dev/null
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --env NODE_VERSION="$node" ${ca:+--env NODE_EXTRA_CA_CERTS=/usr/local/share/extra-ca.pem} --cmd node "$container"
buildah commit --quiet --format docker --rm "$container" "docker.io/library/$name" >/dev/null
echo "Built $name. Its root file system is in $folder."
