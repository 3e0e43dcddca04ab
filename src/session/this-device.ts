import type { DeviceHere } from '#contract/account.ts'
import { deviceId } from '#storage/values.ts'

/** The browser's description of itself when a session opens or is renewed. Rejects where nothing can be stored. */
export const thisDevice = async (): Promise<DeviceHere> => ({
  id: await deviceId(),
  browser: browserName(navigator.userAgent, navigator.maxTouchPoints),
})

/** First match wins: most browsers name others as well, for old pages' sake. */
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
 * The name a listener would give this browser, `Chrome on Android`, from what it says of itself. An iPad says that
 * it is a Mac, but no Mac has a touch screen.
 */
export function browserName(userAgent: string, touchPoints: number): string {
  const system = nameIn(SYSTEMS, userAgent)
  const named = nameIn(BROWSERS, userAgent)
  // Others say that they are Safari, which runs on Apple's devices alone.
  const isNot = named === 'Safari' && !/^(?:iPhone|iPad|Mac)$/.test(system ?? '')
  const browser = named === undefined || isNot ? 'Another browser' : named
  if (!system) return browser
  return `${browser} on ${system === 'Mac' && touchPoints > 1 ? 'iPad' : system}`
}

const nameIn = (names: readonly [RegExp, string][], userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]
