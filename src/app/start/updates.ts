import type { QueryClient } from '@tanstack/react-query'
import { warmCatalogue } from '#storage/messages.ts'
import { onFirstTakeover, watchForUpdate } from '#storage/update.ts'
import { libraryQuery } from '#features/library/queries.ts'
import { isOpen } from '#features/shop-details/shop.ts'
import { currentOwner } from '#session/store.ts'
import { offerUpdate } from '../header/update-offer.ts'
import { askAgainAfterSilence, keepCatalogueHere } from './catalogue-here.ts'

/** A new release waits for the user's consent (`UpdateNotice.tsx`). */
export async function offerUpdates(queryClient: QueryClient): Promise<void> {
  onFirstTakeover(() => void askForShelfAgain(queryClient))
  await watchForUpdate(offerUpdate).catch(() => undefined)
  // A page rendered by the server never passed the worker; the worker keeps it for the tunnel.
  await warmCatalogue([...addressesOfThisPage(), '/api/search_menu_entries'], always()).catch(() => undefined)
  keepCatalogueHere()
  askAgainAfterSilence(queryClient)
}

/** These open without a network whatever was seen before: home, the current highlights, the shelves. */
const always = () => ['/', '/subscriber-selection', '/audiobooks', '/ebooks'].filter(isOpen)

const addressesOfThisPage = (): string[] =>
  JSON.parse(document.getElementById('server-asked')?.textContent ?? '[]')

/** The shelf that was loaded before the worker was in charge is not kept by it yet. */
async function askForShelfAgain(queryClient: QueryClient): Promise<void> {
  const owner = currentOwner()
  if (owner) await queryClient.refetchQueries({ queryKey: libraryQuery(owner).queryKey, type: 'all' })
}
