import type { Book } from '#contract/catalogue.ts'
import { checkHoldings, listHoldings, watchHoldings, type Holding } from '#storage/inventory.ts'
import { warmCatalogue } from '#storage/messages.ts'
import { readSetting, watchPlaces, writeSetting } from '#storage/places.ts'
import type { OwnTitle } from '#storage/places-db.ts'
import { renewTitle } from '#storage/renew-title.ts'
import { soundDb, type DownloadFailure, type StoredTitle } from '#storage/sound-db.ts'
import { changeTitle, checkFile, putTitle, readTitle, removeTitle, touchFile } from '#storage/sound-store.ts'
import { slugOfKey, titleKey, type TitleKey } from '#storage/title-key.ts'
import { connectivity } from '#net/connectivity.ts'
import { plural } from '#format/plural.ts'
import { oneAtATime } from '#net/one-at-a-time.ts'
import { addressOf, call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { currentSession } from '#session/store.ts'
import { toast } from '#ui/toast.ts'
import { describeTitle, formatOf, addressesOf, fetchOne, type DownloadPorts } from './fetcher.ts'
import { createDownloader } from './downloader.ts'
import { NothingYet, downloadsFrom } from './model.ts'
import { storeFetched, trimTemporary, removeFinishedTitles } from './make-room.ts'
import { storedNumber } from './sound-address.ts'
import { forgetDownloads, readDownload, showDownloads, useDownloadsStore } from './store.ts'
import { FETCH_RETRY_MS } from '#contract/limits.ts'

/** One listener's downloads. Loaded on demand, because it includes Dexie. */
export interface Downloads {
  readonly ownerUuid: string
  /**
   * Downloads the whole title, also after a failure. Resolves once the request is stored, before the
   * download.
   *
   * @throws {NothingYet} for a title without files.
   * @throws {NetProblem} 401 after the session has expired: nothing is fetched before the next log-in.
   */
  start: (key: TitleKey) => Promise<void>
  remove: (key: TitleKey) => Promise<void>
  removeAll: () => Promise<void>
  /** Stores the next files for a while (PLAY-08). Resolves when they are stored or unobtainable. */
  prefetch: (key: TitleKey, chapters: readonly number[]) => Promise<void>
  /** Stores the e-book being read for a while; `fetched` is its file if it was just downloaded. */
  keepOpened: (slug: string, fetched: ArrayBuffer | undefined) => Promise<void>
  /** The stored title, without a request. */
  title: (key: TitleKey) => Promise<StoredTitle | undefined>
  /** Verifies a stored chapter; a damaged one is no longer complete, and is fetched again. */
  isWhole: (slug: string, chapter: number, sound?: string) => Promise<boolean>
  /**
   * Takes over what the shop's owner changed in a stored audiobook's chapters. Sound that has another number
   * now is kept; new sound is fetched if the listener downloaded the title.
   */
  renew: (book: Book) => Promise<void>
  holdings: () => readonly Holding[]
  /** After how many days a finished title is removed automatically; 0 for never. */
  finishedDays: () => Promise<number>
  setFinishedDays: (days: number) => Promise<void>
  /** Continues downloads that an expired session paused; call after the log-in. */
  resume: () => Promise<void>
  stop: () => void
}

const REMOVE_FINISHED = 'removeFinished'

/**
 * @param left aborted if another user takes over this device before the downloads are open; then it rejects
 */
export async function openDownloads(
  ownerUuid: string,
  given: Partial<DownloadPorts> = {},
  left?: AbortSignal,
): Promise<Downloads> {
  // Earlier releases stored a boolean here; true meant one day.
  const finishedDays = async () =>
    Number((await readSetting<boolean | number>(ownerUuid, REMOVE_FINISHED)) ?? 0)
  const ports: DownloadPorts = {
    askBook: askBookAs(ownerUuid),
    fetch: (input, init) => fetch(input, init),
    untilRetry,
    removeFinished: async () => (await finishedDays()) > 0,
    ...given,
  }
  const stopping = new AbortController()
  const failed = new Map<TitleKey, DownloadFailure>()
  const downloader = createDownloader(ownerUuid, ports, {
    done(key) {
      void askToStay()
      void keepInStep(ownerUuid, key).catch(() => undefined)
    },
    failed(key, reason) {
      failed.set(key, reason)
      show()
    },
  })

  const { lost } = await checkHoldings(ownerUuid)
  left?.throwIfAborted()
  if (lost.length > 0) toast(`Your browser cleared parts of ${plural(lost.length, 'download')}.`)
  const days = await finishedDays()
  if (days > 0) await removeFinishedTitles(ownerUuid, days, Date.now())

  let seen: Holding[] = []
  const show = () => {
    showDownloads(downloadsFrom(seen, connectivity.snapshot() !== 'offline', failed))
    const lostNow = seen.filter(({ title }) => title.lost === 1).map(({ title }) => title.key)
    if (lostNow.join() !== useDownloadsStore.getState().lost.join()) {
      useDownloadsStore.setState({ lost: lostNow })
    }
  }
  // A caller that awaited the downloads may read the stored titles at once.
  seen = await listHoldings(ownerUuid)
  left?.throwIfAborted()
  show()
  const unwatch = watchHoldings(ownerUuid, (holdings) => {
    seen = holdings
    show()
  })
  // Cleared under the page (trap 11): reopening the database notifies the watcher that it is empty.
  const unlisten = soundDb.onClosed((uuid) => {
    if (uuid === ownerUuid) void listHoldings(ownerUuid).catch(() => undefined)
  })
  const unfollow = connectivity.subscribe(show)
  void downloader.poke()

  const introduced = async (key: TitleKey) => {
    const title = (await readTitle(ownerUuid, key)) ?? (await introduce(key, ports))
    // Under the lock, and only if it is missing: a requested download of the same title must not be overwritten.
    if (!(await readTitle(ownerUuid, key))) await putTitle(ownerUuid, title)
    return title
  }

  const remove = async (key: TitleKey) => {
    await removeTitle(ownerUuid, key)
    downloader.drop(key)
  }

  const renew = async (book: Book) => {
    const key = titleKey(formatOf(book), book.slug)
    const stored = await readTitle(ownerUuid, key)
    const { files, title, authors, narrators } = describeTitle(book, undefined, Date.now())
    // Without files it is no news: the account may have lost the title.
    if (book.entityType === 'eBook' || files.length === 0 || !stored || isSame(stored.files, files)) return
    downloader.drop(key)
    await renewTitle(ownerUuid, key, { files, title, authors, narrators, page: book })
    seen = await listHoldings(ownerUuid)
    show()
    void downloader.poke()
  }
  /** The lengths of chapters are in the account's list of titles, so most changes are found without a request. */
  const renewChanged = async (titles: readonly (OwnTitle | undefined)[]) => {
    for (const { title } of seen) {
      const own = titles.find((each) => each?.key === title.key && each.book.entityType === 'audioBook')
      if (
        own &&
        !isSame(
          own.chapterSeconds,
          title.files.map(({ playtime }) => playtime),
        )
      )
        await renew(await ports.askBook(title.key))
    }
  }
  const unwatchTitles = watchPlaces(
    ownerUuid,
    (db) => db.ownTitles.bulkGet(seen.filter(({ title }) => title.kept === 1).map(({ title }) => title.key)),
    (titles) => void renewChanged(titles).catch(() => undefined),
  )

  return {
    ownerUuid,
    remove,
    finishedDays,
    async start(key) {
      if (currentSession().status === 'ended') throw new NetProblem('refused', 401)
      failed.delete(key)
      const again = { kept: 1, wanted: 1, failure: null, addedAtMs: Date.now() } as const
      const known = await readTitle(ownerUuid, key)
      if (!known || known.files.length === 0) {
        const title = await introduce(key, ports)
        if (title.files.length === 0) throw new NothingYet()
        await putTitle(ownerUuid, { ...title, ...again })
      } else await changeTitle(ownerUuid, key, again)
      void downloader.poke()
    },
    async removeAll() {
      const holdings = await listHoldings(ownerUuid)
      for (const { title } of holdings) await remove(title.key)
    },
    async prefetch(key, chapters) {
      await oneAtATime(`murmur-prefetch-${ownerUuid}`, async () => {
        const title = await introduced(key)
        const addresses = addressesOf(key, ports)
        const present = async () => (await readTitle(ownerUuid, key)) !== undefined
        for (const file of title.files.filter(({ chapter }) => chapters.includes(chapter))) {
          await fetchOne(ownerUuid, key, file, addresses, ports, present, stopping.signal)
        }
        await trimTemporary(ownerUuid)
      })
    },
    async keepOpened(slug, fetched) {
      const key = titleKey('ebook', slug)
      await oneAtATime(`murmur-prefetch-${ownerUuid}`, async () => {
        if (fetched)
          await storeFetched(ownerUuid, await introduced(key), fetched, await ports.removeFinished())
        else await touchFile(ownerUuid, key, 1)
        await trimTemporary(ownerUuid)
      })
    },
    title: (key) => readTitle(ownerUuid, key),
    async isWhole(slug, chapter, sound) {
      const key = titleKey('audio', slug)
      const number = storedNumber(readDownload(key).stored, chapter, sound) ?? chapter
      const whole = await checkFile(ownerUuid, key, number)
      if (!whole) void downloader.poke()
      return whole
    },
    renew,
    holdings: () => seen,
    async setFinishedDays(after) {
      await writeSetting(ownerUuid, REMOVE_FINISHED, after)
    },
    resume: downloader.poke,
    stop() {
      stopping.abort()
      downloader.stop()
      unwatch()
      unwatchTitles()
      unlisten()
      unfollow()
      forgetDownloads()
    },
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const askBookAs =
  (ownerUuid: string) =>
  (key: TitleKey): Promise<Book> => {
    const options = { params: { slug: slugOfKey(key) }, background: true, as: ownerUuid }
    return key.startsWith('audio/')
      ? call('GET /api/audio_books/{slug}', options)
      : call('GET /api/e_books/{slug}', options)
  }

async function introduce(key: TitleKey, ports: DownloadPorts): Promise<StoredTitle> {
  const book = await ports.askBook(key)
  const cover = await fetchCover(book.cover330, ports)
  void keepPage(key)
  const title = describeTitle(book, cover, Date.now())
  return { ...title, key: titleKey(formatOf(book), slugOfKey(key)) }
}

/** Caches the book's page too, so it opens offline even if it was never visited on this device. */
const keepPage = (key: TitleKey) => {
  const input = { params: { slug: slugOfKey(key) } }
  const address = key.startsWith('audio/')
    ? addressOf('GET /api/audio_books/{slug}', input)
    : addressOf('GET /api/e_books/{slug}', input)
  return warmCatalogue([address], []).catch(() => undefined)
}

/** With either format of a title that has both. Without it the title is only not in step. */
async function keepInStep(ownerUuid: string, key: TitleKey) {
  const page = (await readTitle(ownerUuid, key))?.page
  const slug = page?.entityType === 'audioBook' ? page.eBook && page.slug : page?.audioBook?.slug
  if (!slug) return
  const { fetchInStep } = await import('#features/in-step/in-step.ts')
  await fetchInStep(ownerUuid, slug)
}

/** A missing cover must not fail the download: the title's colours are shown instead. */
async function fetchCover(address: string, ports: DownloadPorts) {
  if (!address) return undefined
  try {
    const response = await ports.fetch(address)
    const type = response.headers.get('content-type') ?? ''
    return response.ok && type.startsWith('image/')
      ? { bytes: await response.arrayBuffer(), type }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Ask for persistent storage after the first download, when the purpose is clear (trap 11); the browser
 * decides.
 */
async function askToStay() {
  await navigator.storage?.persist?.().catch(() => false)
}

/** Waits five seconds (PLAY-10), and then until there is a network. An abort ends the wait. */
export async function untilRetry(signal: AbortSignal): Promise<void> {
  await pause(FETCH_RETRY_MS, signal)
  if (connectivity.snapshot() === 'online') return
  await new Promise<void>((resolve) => {
    const end = () => {
      stop()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const stop = connectivity.subscribe((state) => {
      if (state === 'online') end()
    })
    signal.addEventListener('abort', end)
    // Its outcome is handled above.
    void connectivity.check()
  })
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
