import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Debian's headless Chromium needs a third less CPU and memory than the full browser. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The browser of the end-to-end tests: `CHROMIUM`, or the lightest that is installed. */
export function journeyBrowser(): string {
  return process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path)) ?? BROWSERS[1]!
}

export function ensureBrowser(): void {
  const browser = journeyBrowser()
  if (existsSync(browser)) return
  if (process.env.CHROMIUM || !mayInstall()) {
    console.error(
      `The journeys need Chromium at ${browser}. Install it (apt-get install chromium-headless-shell, or chromium) or set CHROMIUM to its path.`,
    )
    return
  }
  try {
    install('chromium-headless-shell')
  } catch {
    install('chromium')
  }
}

export const mayInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

export function install(packageName: string): void {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env: environment })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', packageName], {
    stdio: 'inherit',
    env: environment,
  })
}
