import type { QueryClient } from '@tanstack/react-query'
import { isHeardToTheEnd } from '#contract/finished.ts'
import { resumePlace, listPlaces } from '#storage/places.ts'
import {
  keyOfReady,
  readWish,
  writeWish,
  type ReadyTitle,
  type ReadyWish,
  USUAL_WISH,
} from '#storage/ready-plan.ts'
import { titleKey, type TitleKey, formatOfKey, slugOfKey } from '#storage/title-key.ts'
import { ownBookQuery } from '#features/catalogue/queries.ts'
import { openedDownloads } from '#features/downloads/lazy.ts'
import { ownTitlesQuery } from '#features/library/queries.ts'
import { connectivity } from '#net/connectivity.ts'
import { currentOwner, currentSession } from '#session/store.ts'
import { planReady, type ReadyPhase, type Upcoming } from './model.ts'
import { isMetered, onNetworkChange } from './network.ts'
import type { Engine } from '#features/player/engine-interface.ts'
import { create } from 'zustand'
import { registerUserScope } from '#session/user-scope.ts'
import { rowsOf } from '#sync/lists.ts'
import { placesDb } from '#storage/places-db.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { readingOf } from '#features/library/model.ts'
import { nextOfSeries } from '#features/library/order.ts'
import { ownItem } from '#features/library/shelf-entry.ts'
import { playerSettings } from '#features/player/settings.ts'

const show = (phase: ReadyPhase) => useReady.setState({ phase })

export async function readReady(owner: string): Promise<void> {
  const wish = await readWish(owner)
  if (currentOwner() === owner) useReady.setState({ owner, wish })
}

/** Reads the listener's settings, and continues with them. Idempotent. */
export async function openReady(queryClient: QueryClient, owner: string): Promise<void> {
  await readReady(owner)
  if (currentOwner() !== owner) return
  keepSoOnce(queryClient)
  await bringReady(queryClient, owner)
}

export async function changeWish(
  queryClient: QueryClient,
  owner: string,
  part: Partial<Omit<ReadyWish, 'plan'>>,
): Promise<void> {
  const wish = { ...(await readWish(owner)), ...part }
  await writeWish(owner, wish)
  useReady.setState({ wish })
  await bringReady(queryClient, owner)
}

let running: Promise<void> | undefined
let again = false

/** Plans and stores the next titles. A call during a run causes one more run. */
export function bringReady(queryClient: QueryClient, owner: string): Promise<void> {
  again = true
  running ??= (async () => {
    while (again) {
      again = false
      await bringOnce(queryClient, owner).catch(() => show('failed'))
    }
  })().finally(() => (running = undefined))
  return running
}

async function bringOnce(queryClient: QueryClient, owner: string): Promise<void> {
  const wish = await readWish(owner)
  if (!wish.on) return show('off')
  show('looking')
  const upcoming = await describeUpcoming(queryClient, owner, wish.hours)
  const heard = planReady(upcoming, wish)
  const eBooks = (await eBooksNext(queryClient, owner)).map(plannedEBook)
  const { full } = heard
  const plan = [...heard.plan, ...eBooks]
  await writeWish(owner, { ...wish, plan })
  useReady.setState({ wish: { ...wish, plan } })
  const downloads = await openedDownloads()
  const isMissing = (key: TitleKey, chapter: number) =>
    !downloads
      ?.holdings()
      .some(({ title, files }) => title.key === key && files.some((file) => file.chapter === chapter))
  for (const title of plan) {
    const key = keyOfReady(title)
    const missing = title.chapters.map(({ chapter }) => chapter).filter((chapter) => isMissing(key, chapter))
    if (missing.length === 0) continue
    if (connectivity.snapshot() === 'offline' || currentSession().status !== 'user') return show('waiting')
    if (!wish.anyNetwork && isMetered()) return show('waiting')
    show('getting')
    try {
      // Chapter by chapter, so that changed settings apply soon.
      for (const chapter of missing) {
        if (again || currentOwner() !== owner) return undefined
        await downloads?.prefetch(key, [chapter])
      }
    } catch (failure) {
      if (failure instanceof Error && failure.name === 'NoSpaceLeft') return show('full')
      throw failure
    }
  }
  return show(full ? 'full' : 'ready')
}

/** Enough titles to fill the hours, with their chapters, from the device or the server. */
async function describeUpcoming(queryClient: QueryClient, owner: string, hours: number): Promise<Upcoming[]> {
  const upcoming: Upcoming[] = []
  let seconds = 0
  for (const slug of await whatComesNext(queryClient, owner)) {
    if (seconds >= hours * 3600) break
    const title = await describeTitle(queryClient, owner, slug).catch(() => undefined)
    if (!title) continue
    const place = await resumePlace(owner, slug)
    const last = title.chapters.at(-1)
    const lengths = title.chapters.map(({ chapter, playtime }) => ({ number: chapter, seconds: playtime }))
    if (!last || (place && isHeardToTheEnd(lengths, place))) continue
    upcoming.push({ ...title, slug, from: place })
    const begin = title.chapters.findIndex(({ chapter }) => chapter === place?.chapter)
    seconds += title.chapters.slice(Math.max(0, begin)).reduce((sum, { playtime }) => sum + playtime, 0)
    seconds -= begin < 0 ? 0 : (place?.seconds ?? 0)
  }
  return upcoming
}

async function describeTitle(
  queryClient: QueryClient,
  owner: string,
  slug: string,
): Promise<Pick<Upcoming, 'title' | 'chapters'> | undefined> {
  const stored = await (await openedDownloads())?.title(titleKey('audio', slug))
  if (stored && stored.files.length > 0) return { title: stored.title, chapters: stored.files }
  if (connectivity.snapshot() === 'offline' || currentSession().status !== 'user')
    return describeOwned(queryClient, owner, slug)
  const book = await queryClient.fetchQuery(ownBookQuery('audio_books', slug, owner, { background: true }))
  if (!book) return undefined
  const chapters = book.audioFiles.map(({ chapterOrderNumber, playtime, bytes }) => ({
    chapter: chapterOrderNumber,
    playtime,
    bytes,
  }))
  return { title: book.title, chapters }
}

/** Describes a title from the stored library, so that the plan can be shown while offline. */
async function describeOwned(
  queryClient: QueryClient,
  owner: string,
  slug: string,
): Promise<Pick<Upcoming, 'title' | 'chapters'> | undefined> {
  const { titles } = await queryClient.fetchQuery(ownTitlesQuery(owner))
  const owned = titles.find(({ key }) => key === titleKey('audio', slug))
  if (!owned || owned.chapterSeconds.length === 0) return undefined
  // Only the server knows the file sizes.
  const chapters = owned.chapterSeconds.map((playtime, at) => ({ chapter: at + 1, playtime, bytes: 0 }))
  return { title: owned.book.title, chapters }
}

const plannedEBook = (eBook: { slug: string; title: string; begun: boolean }): ReadyTitle => ({
  ...eBook,
  format: 'ebook',
  chapters: [{ chapter: 1, seconds: 0, bytes: 0 }],
})

let keeps = false

/** Fetches what is missing when the network returns or changes. */
function keepSoOnce(queryClient: QueryClient): void {
  if (keeps) return
  keeps = true
  const goOn = () => {
    const { owner, wish } = useReady.getState()
    if (owner && wish.on && currentOwner() === owner) void bringReady(queryClient, owner)
  }
  connectivity.subscribe((state) => state === 'online' && goOn())
  onNetworkChange(goOn)
}

/** Updates the plan as the listener progresses: after each chapter and at each pause. */
export function keepReadyWhileListening(engine: Engine, queryClient: QueryClient): void {
  const look = () => {
    const owner = currentOwner()
    if (owner) void openReady(queryClient, owner).catch(() => undefined)
  }
  engine.on('chapterEnd', look)
  engine.on('pause', look)
}

interface ReadyStore {
  /** The owner's user id; undefined until their settings were read. */
  readonly owner: string | undefined
  readonly wish: ReadyWish
  readonly phase: ReadyPhase
}

/** Only `keep-ready.ts` writes this. */
export const useReady = create<ReadyStore>()(() => ({ owner: undefined, wish: USUAL_WISH, phase: 'off' }))

registerUserScope('ready', { close: () => useReady.setState(useReady.getInitialState(), true) })

/** Three e-books suffice for any time offline. */
const MOST_EBOOKS = 3

/** The e-books likely to be read next: started ones, last read first, then the newest in the library. */
async function eBooksNext(
  queryClient: QueryClient,
  owner: string,
): Promise<{ slug: string; title: string; begun: boolean }[]> {
  const { titles } = await queryClient.fetchQuery(ownTitlesQuery(owner))
  const readings = await placesDb.use(owner, (db) => db.readings.toArray())
  const readAt = new Map(readings.map(({ slug, readAtMs }) => [slug, readAtMs]))
  const read = new Set(readings.filter(({ share }) => readingOf(share)?.finished).map(({ slug }) => slug))
  return titles
    .filter(({ key, book }) => formatOfKey(key) === 'ebook' && !read.has(book.slug))
    .map(({ book: { slug, title } }) => ({ slug, title, begun: readAt.has(slug) }))
    .toSorted((one, other) => (readAt.get(other.slug) ?? 0) - (readAt.get(one.slug) ?? 0))
    .slice(0, MOST_EBOOKS)
}

/**
 * Slugs of the audiobooks likely to be heard next, the likeliest first: the last heard, the ones that play
 * after it (the next of its series, then the queue), other started ones, and the rest of the library.
 */
export async function whatComesNext(queryClient: QueryClient, owner: string): Promise<string[]> {
  const [{ titles }, places, queue] = await Promise.all([
    queryClient.fetchQuery(ownTitlesQuery(owner)),
    listPlaces(owner),
    placesDb.use(owner, (db) => rowsOf(db, 'queue')),
  ])
  const downloads = useDownloadsStore.getState().byTitle
  const known = {
    places: new Map(places.map((place) => [place.slug, place])),
    readings: new Map<string, never>(),
    downloads,
  }
  const owned = new Map(titles.map((title) => [title.key, ownItem(title, known)]))
  const begun = places.map(({ slug }) => slug)
  const [last] = begun
  const next =
    last !== undefined && playerSettings().atEnd === 'series'
      ? nextOfSeries(titleKey('audio', last), owned)?.entry.slug
      : undefined
  const queued = queue.flatMap(({ key }) => (key !== undefined && owned.has(key) ? slugOfKey(key) : []))
  const all = [...owned.keys()].filter((key) => formatOfKey(key) === 'audio').map(slugOfKey)
  return [...new Set([last ?? [], next ?? [], queued, begun, all].flat())]
}
