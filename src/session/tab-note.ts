import { keptInTab } from '#device/page-storage.ts'
import { currentSession } from './store.ts'

/**
 * What somebody is typing, kept in the tab: over a reload and the way to another document and back. Whoever comes next on
 * this device reads nothing of it.
 */
export const tabNote = (key: string) => ({
  write(typed: object): void {
    keptInTab.setItem(key, JSON.stringify({ ...typed, of: currentSession().owner?.uuid ?? '' }))
  },
  /** Undefined for none; `strange` where it is of somebody who is not here any more. */
  read(): Readonly<Record<string, unknown>> | 'strange' | undefined {
    try {
      const kept: unknown = JSON.parse(keptInTab.getItem(key) ?? 'null')
      if (typeof kept !== 'object' || kept === null) return undefined
      const { of = '' } = kept as { of?: unknown }
      const { ready, owner } = currentSession()
      return ready && of !== '' && of !== owner?.uuid ? 'strange' : { ...kept }
    } catch {
      keptInTab.removeItem(key)
      return undefined
    }
  },
  forget: (): void => keptInTab.removeItem(key),
})
