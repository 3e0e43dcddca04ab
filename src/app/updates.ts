import { warmCatalogue } from '#device/messages.ts'
import { applyUpdate, watchForUpdate } from '#device/update.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { toast } from '#ui/toast.ts'

const isSilent = () => !wantsSound(usePlayer.getState().state)

/** A new release waits for a yes, and is never offered while a book is speaking (trap 17). */
export async function offerUpdates(): Promise<void> {
  await watchForUpdate(() => whenSilent(offer)).catch(() => undefined)
  // What the server rendered into this page never passed the worker; it keeps it for the tunnel.
  await warmCatalogue(addressesOfThisPage(), ALWAYS).catch(() => undefined)
}

/** These open without a network whatever was seen before: home, the current highlights, the shelves. */
const ALWAYS = ['/', '/subscriber-selection', '/audiobooks', '/ebooks']

const addressesOfThisPage = () =>
  JSON.parse(document.getElementById('server-asked')?.textContent ?? '[]') as string[]

function offer(): void {
  toast('A new version of Murmur is ready.', {
    action: { label: 'Update', onPress: () => void applyUpdate(() => location.reload()) },
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
