import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Debian's Chromium without a window to draw takes a third less of the machine than the whole browser. */
const PACKAGES = ['chromium-headless-shell', 'chromium']
const INSTALLED = PACKAGES.map((name) => `/usr/bin/${name}`)

/** Debian's packages of Chromium, unpacked for a user who may not install any. */
const UNPACKED = join(homedir(), '.cache/murmur/chromium')
const LAUNCHER = join(UNPACKED, 'launch')

/** The browser of the journeys: the one that `CHROMIUM` names, or the lightest that is installed or unpacked. */
export function journeyBrowser(): string {
  return process.env.CHROMIUM ?? [...INSTALLED, LAUNCHER].find((path) => existsSync(path)) ?? INSTALLED[1]!
}

/** Installs the browser, or unpacks it for a user who is not root. Prints what to do where neither is possible. */
export function ensureBrowser(): void {
  const browser = journeyBrowser()
  if (existsSync(browser)) return
  try {
    if (process.env.CHROMIUM) throw new Error(`CHROMIUM=${browser} does not exist.`)
    if (!existsSync('/usr/bin/apt-get')) throw new Error('There is no apt-get here.')
    const get = mayInstall() ? install : unpack
    try {
      get(PACKAGES[0]!)
    } catch {
      get(PACKAGES[1]!)
    }
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : String(error)}\nThe journeys need Chromium. Install it (apt-get install chromium-headless-shell, or chromium) or set CHROMIUM to its path.`,
    )
  }
}

const mayInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function install(packageName: string): void {
  apt([], ['update', '-qq'])
  apt([], ['install', '-y', '-qq', '--no-install-recommends', packageName])
}

/**
 * Downloads a package with what it depends on and this machine lacks, and unpacks them into the user's cache, with a
 * launcher that finds its libraries and fonts there. Needs no root.
 *
 * @throws if Debian's packages cannot be reached.
 */
function unpack(packageName: string): void {
  mkdirSync(dirname(UNPACKED), { recursive: true })
  const folder = mkdtempSync(`${UNPACKED}-`)
  try {
    for (const name of ['lists/partial', 'archives/partial'])
      mkdirSync(join(folder, name), { recursive: true })
    // Lists and archives of its own, because those of the system belong to root.
    const options = [
      `Dir::State::lists=${folder}/lists`,
      `Dir::Cache=${folder}`,
      `Dir::Cache::archives=${folder}/archives`,
      'Debug::NoLocking=1',
    ]
    apt(options, ['update', '-qq'])
    apt(options, ['install', '-y', '-qq', '--no-install-recommends', '--download-only', packageName])
    for (const file of globSync('archives/*.deb', { cwd: folder }))
      execFileSync('dpkg-deb', ['-x', join(folder, file), folder])
    const program = globSync('usr/lib/chromium/{chromium-headless-shell,headless_shell,chromium}', {
      cwd: folder,
    })[0]
    if (!program) throw new Error(`${packageName} has no program that is known here.`)
    for (const name of ['lists', 'archives', 'pkgcache.bin', 'srcpkgcache.bin'])
      rmSync(join(folder, name), { recursive: true, force: true })
    const libraries = new Set(globSync('{usr/,}lib/**/*.so*', { cwd: folder }).map((file) => dirname(file)))
    writeFileSync(
      join(folder, 'launch'),
      `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH=${[...libraries].map((path) => `"$here/${path}"`).join(':')}
export XDG_DATA_HOME="$here/usr/share"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$here/etc/fonts"
exec "$here/${program}" "$@"
`,
    )
    chmodSync(join(folder, 'launch'), 0o755)
    rmSync(UNPACKED, { recursive: true, force: true })
    renameSync(folder, UNPACKED)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function apt(options: readonly string[], command: readonly string[]): void {
  execFileSync('apt-get', [...options.flatMap((option) => ['-o', option]), ...command], {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
