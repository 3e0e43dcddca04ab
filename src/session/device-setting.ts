import type { PersistStorage } from 'zustand/middleware'
import { localStore } from '#storage/page-storage.ts'

/** What a device has stored, perhaps by another release: check each value. */
export type Stored = Readonly<Record<string, unknown>>

/**
 * Storage of a device's settings for Zustand's `persist`, without its envelope of state and version: devices have
 * stored them like this from the start, and an open tab of another release must be able to read them.
 */
export const settingStorage = <S>(parse: (stored: Stored) => S): PersistStorage<S> => ({
  getItem: (name) => ({ state: parse(parseObject(localStore.getItem(name))) }),
  setItem: (name, { state }) => localStore.setItem(name, JSON.stringify(state)),
  removeItem: localStore.removeItem,
})

/** Empty for anything but an object. */
function parseObject(text: string | null): Stored {
  try {
    return { ...JSON.parse(text ?? '{}') }
  } catch {
    return {}
  }
}
