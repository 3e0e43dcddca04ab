import { titleKey, type TitleKey } from '#device/title-key.ts'
import type { Downloads } from './downloads.ts'

let open: { ownerUuid: string; downloads: Promise<Downloads> } | undefined

/**
 * The downloads of whoever this device belongs to; the first page carries this door and not the machinery.
 * Safe to call at every change of the session: the same owner's stay open, another's are closed.
 */
export function openDownloadsOf(ownerUuid: string | undefined): Promise<Downloads> | undefined {
  if (open?.ownerUuid === ownerUuid) return open?.downloads
  void open?.downloads.then(
    (downloads) => downloads.stop(),
    () => undefined,
  )
  open = undefined
  if (!ownerUuid) return undefined
  open = {
    ownerUuid,
    downloads: import('./downloads.ts').then(({ openDownloads }) => openDownloads(ownerUuid)),
  }
  return open.downloads
}

/** Undefined for a visitor. */
export const openedDownloads = (): Promise<Downloads> | undefined => open?.downloads

/** Starts a download, or begins again after a failure. */
export const startDownload = async (key: TitleKey): Promise<void> => (await open?.downloads)?.start(key)
export const removeDownload = async (key: TitleKey): Promise<void> => (await open?.downloads)?.remove(key)
export const prefetchChapters = async (slug: string, chapters: readonly number[]): Promise<void> =>
  (await found())?.prefetch(slug, chapters)
export const markFinished = async (slug: string): Promise<void> => (await found())?.markFinished(slug)
export const markHeard = async (slug: string): Promise<void> => (await found())?.markHeard(slug)
/** Also false on a device whose database cannot be opened. */
export const isStoredWhole = async (slug: string, chapter: number): Promise<boolean> =>
  (await (await found())?.isWhole(slug, chapter).catch(() => false)) ?? false
export const storedTitle = async (slug: string) => (await found())?.title(titleKey('audio', slug))

/** Undefined for a visitor, and on a device whose database cannot be opened: nothing is stored there. */
const found = () => open?.downloads.catch(() => undefined)
