import { invalidRequest } from './errors.ts'
import type { Store } from './store.ts'

/** The sandbox's clock: the machine's time plus the seconds by which it was advanced. */
export interface Clock {
  /** Unix seconds. */
  now(): number
  advance(seconds: number): void
}

interface Offset {
  id: 'clock'
  seconds: number
}

export function clockOf(store: Store): Clock {
  const offset = () => store.get<Offset>('setting', 'clock')?.seconds ?? 0
  return {
    now: () => Math.floor(Date.now() / 1000) + offset(),
    advance: (seconds) => store.put('setting', { id: 'clock', seconds: offset() + seconds }),
  }
}

const DAY = 86_400
const UNITS: Readonly<Record<string, number>> = {
  Y: 365 * DAY,
  M: 30 * DAY,
  W: 7 * DAY,
  D: DAY,
  H: 3_600,
  m: 60,
  S: 1,
}

/** Seconds of an ISO 8601 duration such as `P30D`, `PT1H` or `P1M`. A month is 30 days, a year 365. */
export function secondsOf(duration: string): number {
  const [, date = '', time = ''] = /^P((?:\d+[YMWD])*)(?:T((?:\d+[HMS])+))?$/.exec(duration) ?? []
  if (!date && !time) throw invalidRequest(`Not a duration: ${duration}`, { param: 'advance' })
  const parts = [...date.matchAll(/\d+[YMWD]/g), ...time.replaceAll('M', 'm').matchAll(/\d+[HmS]/g)]
  return parts.reduce((sum, [part]) => sum + parseInt(part, 10) * UNITS[part.slice(-1)]!, 0)
}
