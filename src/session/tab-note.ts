import { keptInTab } from '#device/page-storage.ts'
import type { TabKey } from './person.ts'

/** Text that somebody is typing, kept in the tab over a reload and the way to another document and back. */
export const tabNote = (key: TabKey) => ({
  write: (typed: object): void => keptInTab.setItem(key, JSON.stringify(typed)),
  /** Undefined for none. */
  read(): Readonly<Record<string, unknown>> | undefined {
    try {
      const kept: unknown = JSON.parse(keptInTab.getItem(key) ?? 'null')
      return typeof kept === 'object' && kept !== null ? { ...kept } : undefined
    } catch {
      keptInTab.removeItem(key)
      return undefined
    }
  },
  forget: (): void => keptInTab.removeItem(key),
})
