import { tabStorage } from '#storage/page-storage.ts'
import type { TabKey } from './person.ts'

/** Text that somebody is typing, kept in the tab over a reload and the way to another document and back. */
export const tabNote = (key: TabKey) => ({
  write: (typed: object): void => tabStorage.setItem(key, JSON.stringify(typed)),
  /** Undefined for none. */
  read(): Readonly<Record<string, unknown>> | undefined {
    try {
      const kept: unknown = JSON.parse(tabStorage.getItem(key) ?? 'null')
      return typeof kept === 'object' && kept !== null ? { ...kept } : undefined
    } catch {
      tabStorage.removeItem(key)
      return undefined
    }
  },
  forget: (): void => tabStorage.removeItem(key),
})
