import { saveAddress } from '#ui/save-file.ts'
import { currentOwner } from '#session/store.ts'
import { toast } from '#ui/toast.ts'
import type { Playable } from './model.ts'
import type { PlayerPorts } from './ports.ts'

/**
 * Saves a book as one zip (PLAY-04): with a connection the server's, freshly signed, with every chapter;
 * without one what this device has.
 */
export async function saveZip(
  { connectivity, loadBook }: Pick<PlayerPorts, 'connectivity' | 'loadBook'>,
  title: Playable,
  download: (address: string) => void = (address) => saveAddress(address, ''),
): Promise<void> {
  const fresh = connectivity.isOnline() ? await loadBook(title.slug).catch(() => undefined) : undefined
  if (fresh?.download) return download(fresh.download)
  try {
    await saveStored(title.slug)
  } catch {
    toast('Nothing to save yet: this device has no chapters of this book.')
  }
}

async function saveStored(slug: string): Promise<void> {
  const owner = currentOwner()
  if (!owner) throw new Error('Nobody is logged in')
  const { saveStoredZip } = await import('#features/downloads/save-stored-zip.ts')
  await saveStoredZip(owner, slug)
}
