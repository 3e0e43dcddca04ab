import type { QueryClient } from '@tanstack/react-query'
import { warmCatalogue } from '#device/messages.ts'
import { reloadPage } from '#device/page-storage.ts'
import { onFirstTakeover, type TakeOver, watchForUpdate } from '#device/update.ts'
import { libraryQuery } from '#features/library/queries.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { isOpen, shop } from '#features/shop-details/shop.ts'
import { currentOwner } from '#session/store.ts'
import { toast } from '#ui/toast.ts'

const isSilent = () => !wantsSound(usePlayer.getState().state)

/** A new release waits for a yes, and is never offered while a book is speaking (trap 17). */
export async function offerUpdates(queryClient: QueryClient): Promise<void> {
  onFirstTakeover(() => void askForShelfAgain(queryClient))
  await watchForUpdate((takeOver) => whenSilent(() => offer(takeOver))).catch(() => undefined)
  // A page rendered by the server never passed the worker; the worker keeps it for the tunnel.
  await warmCatalogue([...addressesOfThisPage(), '/api/search_menu_entries'], always()).catch(() => undefined)
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

function offer(takeOver: TakeOver): void {
  toast(`A new version of ${shop().name} is ready.`, {
    action: { label: 'Update', onPress: () => takeOver(reloadPage) },
    forMilliseconds: 60_000,
  })
}

function whenSilent(work: () => void): void {
  if (isSilent()) return work()
  const stop = usePlayer.subscribe(() => {
    if (!isSilent()) return
    stop()
    work()
  })
}
