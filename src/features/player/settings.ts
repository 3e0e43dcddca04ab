import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { JUMP_SECONDS } from '#contract/limits.ts'
import { settingStorage, type Stored } from '#session/device-setting.ts'
import type { SleepChoice } from './sleep-timer.ts'
import type { DeviceKey } from '#session/log-out.ts'

/** Settings of the player on this device, shared by all its users. */
export interface PlayerSettings {
  /** Single-key shortcuts work while the player has focus. */
  readonly keys: boolean
  /** A headset's next and previous change the chapter instead of jumping. */
  readonly headsetChapters: boolean
  /**
   * Starting here pauses the account's other devices and vice versa, and an open player moves to the last
   * place on any device. Stored per device, not per account: two people who share an account each choose for
   * themselves.
   */
  readonly onePlace: boolean
  /** At a book's end: the next of the series and then the queue; the queue only; or nothing. */
  readonly atEnd: AtEnd
  /** Lengths of the jumps back and forward: two of JUMP_CHOICES. */
  readonly backSeconds: number
  readonly forwardSeconds: number
  /** Rewind after a pause by its length, in addition to PLAY-06 (`listener-actions.ts`). */
  readonly rewinds: boolean
  /** Set bookmarks 15 s before the press. */
  readonly bookmarksEarlier: boolean
  /** How much of long silences is skipped (`shorten-silences.ts`). */
  readonly silences: Silences
  /** A book begins where its text does (`skip-credits.ts`). */
  readonly skipsCredits: boolean
}
export const SILENCE_CHOICES = ['off', 'gentle', 'brisk'] as const
export type Silences = (typeof SILENCE_CHOICES)[number]
export type AtEnd = 'series' | 'queue' | 'silence'

export const JUMP_CHOICES: readonly number[] = [10, 15, 30, 45, 60]

const KEY = 'murmur.player' satisfies DeviceKey
const DEFAULTS: PlayerSettings = {
  keys: true,
  headsetChapters: false,
  onePlace: true,
  backSeconds: JUMP_SECONDS,
  forwardSeconds: JUMP_SECONDS,
  rewinds: false,
  bookmarksEarlier: false,
  atEnd: 'series',
  silences: 'off',
  skipsCredits: false,
}

export const usePlayerSettings = create<PlayerSettings>()(
  persist(() => DEFAULTS, { name: KEY, storage: settingStorage(parseSettings) }),
)
export const playerSettings = usePlayerSettings.getState
export const changePlayerSettings = (part: Partial<PlayerSettings>): void => {
  usePlayerSettings.setState(part)
}

const SLEEP_KEY = 'murmur.sleep' satisfies DeviceKey
const NEVER_SET: { readonly kind?: undefined } = {}

/** The last setting of the sleep timer on this device. */
export const useLastSleep = create<SleepChoice | typeof NEVER_SET>()(
  persist((): SleepChoice | typeof NEVER_SET => NEVER_SET, {
    name: SLEEP_KEY,
    storage: settingStorage(parseSleepChoice),
  }),
)

// The player's window applies changes made in the tab, and vice versa.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) void usePlayerSettings.persist.rehydrate()
    if (key === SLEEP_KEY) void useLastSleep.persist.rehydrate()
  })

function parseSettings(stored: Stored): PlayerSettings {
  const flag = (name: Flag) => {
    const value = stored[name]
    return typeof value === 'boolean' ? value : DEFAULTS[name]
  }
  const seconds = (name: 'backSeconds' | 'forwardSeconds') =>
    JUMP_CHOICES.find((choice) => choice === stored[name]) ?? DEFAULTS[name]
  const { atEnd, silences } = stored
  return {
    keys: flag('keys'),
    headsetChapters: flag('headsetChapters'),
    onePlace: flag('onePlace'),
    backSeconds: seconds('backSeconds'),
    forwardSeconds: seconds('forwardSeconds'),
    rewinds: flag('rewinds'),
    bookmarksEarlier: flag('bookmarksEarlier'),
    skipsCredits: flag('skipsCredits'),
    atEnd: atEnd === 'queue' || atEnd === 'silence' ? atEnd : 'series',
    silences: silences === 'gentle' || silences === 'brisk' ? silences : 'off',
  }
}

type Flag = Exclude<keyof PlayerSettings, 'backSeconds' | 'forwardSeconds' | 'atEnd' | 'silences'>

function parseSleepChoice({ kind, minutes }: Stored): SleepChoice | typeof NEVER_SET {
  if (kind === 'chapter' || kind === 'nextChapter') return { kind }
  const isWhole = typeof minutes === 'number' && minutes > 0 && Number.isInteger(minutes)
  return kind === 'minutes' && isWhole ? { kind, minutes } : NEVER_SET
}
