import type { DeviceHere } from '#contract/account.ts'
import { deviceId } from '#storage/values.ts'

/** This browser's id and name, for opening or renewing a session. Rejects if nothing can be stored. */
export const thisDevice = async (): Promise<DeviceHere> => ({
  id: await deviceId(),
  browser: browserName(navigator.userAgent, navigator.maxTouchPoints),
})

/** The first match wins: for compatibility, most user agents also name other browsers. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPT\/|\bOPiOS\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/**
 * The name a listener would give this browser, `Chrome on Android`, from its user agent. An iPad's user agent
 * names a Mac, but no Mac has a touch screen.
 */
export function browserName(userAgent: string, touchPoints: number): string {
  const system = nameIn(SYSTEMS, userAgent)
  const named = nameIn(BROWSERS, userAgent)
  // Other browsers' user agents name Safari too, which runs only on Apple's devices.
  const isNot = named === 'Safari' && !/^(?:iPhone|iPad|Mac)$/.test(system ?? '')
  const browser = named === undefined || isNot ? 'Another browser' : named
  if (!system) return browser
  return `${browser} on ${system === 'Mac' && touchPoints > 1 ? 'iPad' : system}`
}

const nameIn = (names: readonly [RegExp, string][], userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]
