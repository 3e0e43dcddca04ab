import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { warmCatalogue, keepCatalogue } from '#storage/messages.ts'
import { onFirstTakeover, watchForUpdate } from '#storage/update.ts'
import { libraryQuery } from '#features/library/queries.ts'
import { isOpen } from '#features/shop-details/shop.ts'
import { configureNet } from '#net/settings.ts'
import { currentOwner } from '#session/store.ts'
import { offerUpdate } from '../header/OfflineBadge.tsx'
import { loadPopUp } from '../pop-ups/authentication.ts'
import { askForProof } from '../pop-ups/proof.ts'
import { moveCovers } from '../page/move-covers.ts'
import { isMetered, onNetworkChange } from '#features/ready/network.ts'
import { connectivity } from '#net/connectivity.ts'

/** Starts work that can wait for the first paint. One module, so that the first view has a single import. */
export function startAfterFirstPaint(queryClient: QueryClient, router: AnyRouter): void {
  moveCovers(router)
  loadItalics()
  void import('#features/bag/follow.ts').then(({ followBag }) => followBag(queryClient))
  configureNet({ prove: () => askForProof(loadPopUp) })
  void offerUpdates(queryClient)
}

/** A new release waits for the user's consent (`UpdateNotice`). */
async function offerUpdates(queryClient: QueryClient): Promise<void> {
  onFirstTakeover(() => void askForShelfAgain(queryClient))
  await watchForUpdate(offerUpdate).catch(() => undefined)
  // A server-rendered page bypasses the service worker; store it for offline use.
  await warmCatalogue([...addressesOfThisPage(), '/api/search_menu_entries'], always()).catch(() => undefined)
  keepCatalogueHere()
  askAgainAfterSilence(queryClient)
}

/** Pages that always open offline: home, the current highlights, the lists. */
const always = () => ['/', '/subscriber-selection', '/audiobooks', '/ebooks'].filter(isOpen)

const addressesOfThisPage = (): string[] =>
  JSON.parse(document.getElementById('server-asked')?.textContent ?? '[]')

/** Reload the library: the service worker has not stored one that loaded before it took control. */
async function askForShelfAgain(queryClient: QueryClient): Promise<void> {
  const owner = currentOwner()
  if (owner) await queryClient.refetchQueries({ queryKey: libraryQuery(owner).queryKey, type: 'all' })
}

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

/**
 * Once the server answers, refetches the queries that failed, and those answered from the device: the stored catalogue
 * has no samples.
 */
export function askAgainAfterSilence(queryClient: QueryClient): void {
  let silentSince = connectivity.snapshot() === 'offline' ? Date.now() : undefined
  connectivity.subscribe((state) => {
    if (state === 'offline') silentSince ??= Date.now()
    if (state !== 'online' || silentSince === undefined) return
    const from = silentSince - UNNOTICED_MS
    silentSince = undefined
    void queryClient.invalidateQueries({
      predicate: ({ state: { dataUpdatedAt, errorUpdatedAt } }) =>
        dataUpdatedAt >= from || errorUpdatedAt >= from,
    })
  })
}

/**
 * Loads the italic of the display face after the first view: one word of a headline is not worth
 * 25 kB before the first paint. Call it once, in the browser.
 */
function loadItalics() {
  const load = () => void import('#ui/italics.css')
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 4_000 })
  else setTimeout(load, 1_500)
}
