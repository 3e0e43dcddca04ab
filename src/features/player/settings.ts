import { useSyncExternalStore } from 'react'
import { JUMP_SECONDS } from '#contract/limits.ts'
import { localStore } from '#storage/page-storage.ts'
import type { SleepChoice } from './sleep-timer.ts'
import type { DeviceKey } from '#session/remove-person.ts'

/** Settings of the player on this device. Kept on the device, the same for everybody who uses it. */
export interface PlayerSettings {
  /** Single keys steer the player while it has focus. */
  readonly keys: boolean
  /** A headset's next and previous change the chapter instead of jumping. */
  readonly headsetChapters: boolean
  /**
   * Starting here pauses the account's other devices and the other way round, and an open player goes where the
   * book was heard last. On the device, not the account: each of two people who share one says it on their own.
   */
  readonly onePlace: boolean
  /** The next of a series, and then the queue; the queue alone; or nothing. */
  readonly atEnd: AtEnd
  /** How far Back goes, and Forward: some of JUMP_CHOICES. */
  readonly backSeconds: number
  readonly forwardSeconds: number
  /** After a pause the book goes back by the pause's length, on top of PLAY-06 (`rewind.ts`). */
  readonly rewinds: boolean
  /** A bookmark lies 15 s before the press. */
  readonly bookmarksEarlier: boolean
}
export type AtEnd = 'series' | 'queue' | 'silence'

/** Each way may have another of them. */
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
}

let settings: PlayerSettings | undefined
const listeners = new Set<() => void>()

export const playerSettings = (): PlayerSettings => (settings ??= read())

export function changePlayerSettings(part: Partial<PlayerSettings>): void {
  settings = { ...playerSettings(), ...part }
  localStore.setItem(KEY, JSON.stringify(settings))
  listeners.forEach((listener) => listener())
}

const SLEEP_KEY = 'murmur.sleep' satisfies DeviceKey

/** The last setting of the sleep timer on this device. */
export function lastSleep(): SleepChoice | undefined {
  try {
    const choice: { kind?: unknown; minutes?: unknown } | null = JSON.parse(
      localStore.getItem(SLEEP_KEY) ?? 'null',
    )
    if (choice?.kind === 'chapter' || choice?.kind === 'nextChapter') return { kind: choice.kind }
    const minutes = choice?.kind === 'minutes' ? Number(choice.minutes) : 0
    return minutes > 0 && Number.isInteger(minutes) ? { kind: 'minutes', minutes } : undefined
  } catch {
    return undefined
  }
}

export const changeLastSleep = (choice: SleepChoice): void =>
  localStore.setItem(SLEEP_KEY, JSON.stringify(choice))

export const usePlayerSettings = (): PlayerSettings =>
  useSyncExternalStore(subscribe, playerSettings, () => DEFAULTS)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

// The player's own window hears what the settings' screen in the tab says.
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key !== KEY) return
    settings = undefined
    listeners.forEach((listener) => listener())
  })

function read(): PlayerSettings {
  try {
    const stored: Partial<Record<keyof PlayerSettings, unknown>> | null = JSON.parse(
      localStore.getItem(KEY) ?? 'null',
    )
    const flag = (name: Flag) => {
      const value = stored?.[name]
      return typeof value === 'boolean' ? value : DEFAULTS[name]
    }
    const { atEnd } = stored ?? {}
    const seconds = (name: 'backSeconds' | 'forwardSeconds') =>
      JUMP_CHOICES.find((choice) => choice === stored?.[name]) ?? DEFAULTS[name]
    return {
      keys: flag('keys'),
      headsetChapters: flag('headsetChapters'),
      onePlace: flag('onePlace'),
      backSeconds: seconds('backSeconds'),
      forwardSeconds: seconds('forwardSeconds'),
      rewinds: flag('rewinds'),
      bookmarksEarlier: flag('bookmarksEarlier'),
      atEnd: atEnd === 'queue' || atEnd === 'silence' ? atEnd : 'series',
    }
  } catch {
    return DEFAULTS
  }
}

type Flag = Exclude<keyof PlayerSettings, 'backSeconds' | 'forwardSeconds' | 'atEnd'>
