import type { Book } from '#contract/catalogue.ts'
import { titleKey, type TitleKey } from '#storage/title-key.ts'
import type { Downloads } from './downloads.ts'

let owner: string | undefined
let open: Promise<Downloads> | undefined
let opening = new AbortController()

/**
 * The downloads of this device's user; this module is small, and loads the rest on demand. Safe to call at
 * every session change: the same owner's downloads stay open, another's are closed.
 */
export function openDownloadsOf(ownerUuid: string | undefined): Promise<Downloads> | undefined {
  if (owner !== ownerUuid) {
    // Downloads that are still opening must not be shown to the next user.
    opening.abort()
    opening = new AbortController()
    void open?.then(
      (downloads) => downloads.stop(),
      () => undefined,
    )
    owner = ownerUuid
    open = undefined
  }
  return openedDownloads()
}

/** Undefined for a visitor. If the database or the code failed to open, the next call tries again. */
export function openedDownloads(): Promise<Downloads> | undefined {
  if (owner === undefined) return undefined
  open ??= begin(owner)
  return open
}

function begin(ownerUuid: string): Promise<Downloads> {
  const { signal } = opening
  const begun = import('./downloads.ts')
    .then(({ openDownloads }) => openDownloads(ownerUuid, {}, signal))
    .catch((failure: unknown) => {
      if (open === begun) {
        open = undefined
        void import('./store.ts').then(({ showNoDownloads }) => showNoDownloads())
      }
      throw failure
    })
  return begun
}

export const resumeDownloads = async (): Promise<unknown> => (await found())?.resume()

export const startDownload = async (key: TitleKey): Promise<void> => (await openedDownloads())?.start(key)
export const removeDownload = async (key: TitleKey): Promise<void> => (await openedDownloads())?.remove(key)
export const prefetchChapters = async (slug: string, chapters: readonly number[]): Promise<void> =>
  (await found())?.prefetch(titleKey('audio', slug), chapters)
export const keepOpenedEBook = async (slug: string, fetched: ArrayBuffer | undefined): Promise<void> =>
  (await found())?.keepOpened(slug, fetched)
/** Also false on a device whose database cannot be opened. */
export const isStoredWhole = async (slug: string, chapter: number, sound?: string): Promise<boolean> =>
  (await (await found())?.isWhole(slug, chapter, sound).catch(() => false)) ?? false
/** Without space for it the title stays as it was stored. */
export const renewDownload = async (book: Book): Promise<void> =>
  (await found())?.renew(book).catch(() => undefined)
export const storedTitle = async (slug: string) => (await found())?.title(titleKey('audio', slug))

/** Undefined for a visitor, and on a device whose database cannot be opened. */
const found = () => openedDownloads()?.catch(() => undefined)
