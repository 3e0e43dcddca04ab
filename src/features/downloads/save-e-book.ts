import { saveAddress, saveFile } from '#ui/save-file.ts'
import { readWhole, storedFile } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'

interface Saving {
  ownerUuid: string
  slug: string
  /** Fetches a new URL for the file: the one on the page expires after a quarter of an hour. */
  address: () => Promise<string | null | undefined>
  save?: (address: string, name: string) => void
}

/**
 * Saves an e-book as a file: the server's by a fresh URL, or without an answer the stored one. False if there
 * is neither.
 */
export async function saveEBook({ ownerUuid, slug, address, save = saveAddress }: Saving): Promise<boolean> {
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
  saveFile(new Blob([bytes], { type: 'application/epub+zip' }), name, save)
  return true
}
