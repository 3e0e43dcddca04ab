import { useLayoutEffect, useSyncExternalStore } from 'react'
import type { TitleTheme } from './title-theme.ts'

/**
 * Puts the header into a title's colours while the calling screen shows a band right below it.
 * On the server use the header's `band` prop: an effect does not run there.
 */
export function useBand(theme: TitleTheme | null | undefined) {
  // Layout effect: header and band must change their colour in the same frame.
  useLayoutEffect(() => {
    if (!theme) return undefined
    current = theme
    notifyAll()
    return () => {
      if (current !== theme) return
      current = null
      notifyAll()
    }
  }, [theme])
}

/** The band that stands below the header now; null on paper. */
export const useCurrentBand = () => useSyncExternalStore(listen, read, onServer)

let current: TitleTheme | null = null
const listeners = new Set<() => void>()
const notifyAll = () => listeners.forEach((listener) => listener())
const read = () => current
const onServer = () => null
const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
