import type { QueryClient } from '@tanstack/react-query'
import { keepCatalogue } from '#storage/messages.ts'
import { isMetered, onNetworkChange } from '#features/ready/network.ts'
import { connectivity } from '#net/connectivity.ts'

/** Switching back to a tab within this time fetches nothing. Prices change only at midnight. */
const CATALOGUE_AFTER_MS = 60 * 60_000

/** Fetch some hundred kilobytes once the page is idle, and never on a network that may be metered. */
export function keepCatalogueHere(): void {
  let askedAt = 0
  const ask = () => {
    if (document.visibilityState !== 'visible' || isMetered() || Date.now() - askedAt < CATALOGUE_AFTER_MS)
      return
    askedAt = Date.now()
    void keepCatalogue().catch(() => undefined)
  }
  ask()
  document.addEventListener('visibilitychange', ask)
  onNetworkChange(ask)
}

/** Queries sent this long before the page noticed the silence may have been answered from the device. */
const UNNOTICED_MS = 15_000

/** Refetches what was answered from the device as soon as the server answers: the stored catalogue has no samples. */
export function askAgainAfterSilence(queryClient: QueryClient): void {
  let silentSince = connectivity.snapshot() === 'offline' ? Date.now() : undefined
  connectivity.subscribe((state) => {
    if (state === 'offline') silentSince ??= Date.now()
    if (state !== 'online' || silentSince === undefined) return
    const from = silentSince - UNNOTICED_MS
    silentSince = undefined
    void queryClient.invalidateQueries({ predicate: ({ state: { dataUpdatedAt } }) => dataUpdatedAt >= from })
  })
}
