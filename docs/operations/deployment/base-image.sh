#!/bin/sh
# Makes the image that the Dockerfile builds on where no registry of images can be reached: Debian by debootstrap, Node and npm from
# the npm registry, under the name that the Dockerfile asks for. As root, with debootstrap, npm and buildah (apt-get install them):
#
#   sh docs/operations/deployment/base-image.sh
#   buildah build --isolation chroot --format docker -f docs/operations/deployment/Dockerfile -t murmur .
#
# Another folder than one of /tmp to put the system together in is its argument. Behind a proxy with a certificate of its own set
# NODE_EXTRA_CA_CERTS to its file: the image trusts it too.
set -eu
cd "$(dirname "$0")/../../.."
name=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' docs/operations/deployment/Dockerfile | head -n 1)
node=$(echo "$name" | sed 's/^node:\([0-9.]*\)-.*/\1/')
debian=$(echo "$name" | sed 's/^node:[0-9.]*-\([a-z]*\).*/\1/')
case $(uname -m) in
  x86_64) arch=x64 ;;
  aarch64) arch=arm64 ;;
  *) echo "There is no Node for $(uname -m) in the npm registry." >&2; exit 1 ;;
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
# The user that Docker's own image of Node has.
chroot "$root" sh -c 'getent passwd node >/dev/null || { groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node; }'

container=$(buildah from scratch)
buildah copy --quiet "$container" "$root" / >/dev/null
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --env NODE_VERSION="$node" ${ca:+--env NODE_EXTRA_CA_CERTS=/usr/local/share/extra-ca.pem} --cmd node "$container"
buildah commit --quiet --format docker --rm "$container" "docker.io/library/$name" >/dev/null
echo "$name is here: the system is in $folder."
