import { titleKey, type TitleKey } from '#storage/title-key.ts'
import type { Downloads } from './downloads.ts'

let owner: string | undefined
let open: Promise<Downloads> | undefined
let opening = new AbortController()

/**
 * The downloads of whoever this device belongs to; the first page carries this door and not the machinery.
 * Safe to call at every change of the session: the same owner's stay open, another's are closed.
 */
export function openDownloadsOf(ownerUuid: string | undefined): Promise<Downloads> | undefined {
  if (owner !== ownerUuid) {
    // Downloads that are still opening must not appear to whoever comes next.
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

/** Undefined for a visitor. A database that did not open, or code that did not load, is asked for again the next time. */
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

/** Downloads that a session which ended by itself only paused go on with the log-in. */
export const resumeDownloads = async (): Promise<unknown> => (await found())?.resume()

/** Starts a download, or begins again after a failure. */
export const startDownload = async (key: TitleKey): Promise<void> => (await openedDownloads())?.start(key)
export const removeDownload = async (key: TitleKey): Promise<void> => (await openedDownloads())?.remove(key)
export const prefetchChapters = async (slug: string, chapters: readonly number[]): Promise<void> =>
  (await found())?.prefetch(titleKey('audio', slug), chapters)
/** Stores an opened e-book for offline use, as played chapters are. */
export const keepOpenedEBook = async (slug: string, fetched: ArrayBuffer | undefined): Promise<void> =>
  (await found())?.keepOpened(slug, fetched)
/** Also false on a device whose database cannot be opened. */
export const isStoredWhole = async (slug: string, chapter: number): Promise<boolean> =>
  (await (await found())?.isWhole(slug, chapter).catch(() => false)) ?? false
export const storedTitle = async (slug: string) => (await found())?.title(titleKey('audio', slug))

/** Undefined for a visitor, and on a device whose database cannot be opened: nothing is stored there. */
const found = () => openedDownloads()?.catch(() => undefined)
