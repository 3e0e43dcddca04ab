import { toast } from '#ui/toast.ts'
import type { Playable } from './model.ts'
import type { PlayerPorts } from './ports.ts'

/**
 * Saves a book as one zip (PLAY-04): with a connection the server's, freshly signed, with every chapter;
 * without one what this device has.
 */
export async function saveZip(
  { connectivity, loadBook, zipOffline }: Pick<PlayerPorts, 'connectivity' | 'loadBook' | 'zipOffline'>,
  title: Playable,
  download: (address: string) => void = downloadFrom,
): Promise<void> {
  const fresh = connectivity.isOnline() ? await loadBook(title.slug).catch(() => undefined) : undefined
  if (fresh?.download) return download(fresh.download)
  try {
    await zipOffline(title.slug)
  } catch {
    toast('Nothing to save yet: this device has no chapters of this book.')
  }
}

function downloadFrom(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
