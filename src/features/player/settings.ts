import { useSyncExternalStore } from 'react'

/** How this device likes to be steered. Kept on the device, the same for everybody who uses it. */
export interface PlayerSettings {
  /** Single keys steer the player while it has focus. */
  readonly keys: boolean
  /** A headset's next and previous change the chapter instead of jumping 15 s. */
  readonly headsetChapters: boolean
}

const KEY = 'murmur.player'
const DEFAULTS: PlayerSettings = { keys: true, headsetChapters: false }

let settings: PlayerSettings | undefined
const listeners = new Set<() => void>()

export const playerSettings = (): PlayerSettings => (settings ??= read())

export function changePlayerSettings(part: Partial<PlayerSettings>): void {
  settings = { ...playerSettings(), ...part }
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // A browser that keeps nothing still obeys until it is closed.
  }
  listeners.forEach((listener) => listener())
}

export const usePlayerSettings = (): PlayerSettings =>
  useSyncExternalStore(subscribe, playerSettings, () => DEFAULTS)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function read(): PlayerSettings {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    const flag = (name: keyof PlayerSettings) => {
      const value: unknown = (kept as Record<string, unknown> | null)?.[name]
      return typeof value === 'boolean' ? value : DEFAULTS[name]
    }
    return { keys: flag('keys'), headsetChapters: flag('headsetChapters') }
  } catch {
    return DEFAULTS
  }
}
