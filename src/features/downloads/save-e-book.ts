import { readWhole, storedFile } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'

interface Saving {
  ownerUuid: string
  slug: string
  /** Fetches a new address for the file: the one on the page stops working after a quarter of an hour. */
  address: () => Promise<string | null | undefined>
  save?: (address: string, name: string) => void
}

/** Saves an e-book as a file: the server's, freshly signed; where nobody answers, the one on this device. False without either. */
export async function saveEBook({ ownerUuid, slug, address, save = saveFrom }: Saving): Promise<boolean> {
  const name = `${slug}.epub`
  const fresh = await address().catch(() => undefined)
  if (fresh) {
    save(fresh, name)
    return true
  }
  const key = titleKey('ebook', slug)
  const bytes = await storedFile(ownerUuid, key, 1)
    .then((file) => file && readWhole(ownerUuid, key, 1))
    .catch(() => undefined)
  if (!bytes) return false
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/epub+zip' }))
  save(url, name)
  // Long enough for a browser that asks where to put it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return true
}

function saveFrom(address: string, name: string) {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
