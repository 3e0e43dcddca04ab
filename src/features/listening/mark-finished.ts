import type { QueryClient } from '@tanstack/react-query'
import { isHeardToTheEnd, isReadToTheEnd } from '#contract/finished.ts'
import { readClock } from '#storage/clock.ts'
import { listPastPlaces } from '#sync/outbox.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { placesDb, type OwnBook } from '#storage/places-db.ts'
import { resumePlace } from '#storage/places.ts'
import { readingOf, storeReading } from '#sync/readings.ts'
import { formatOfKey, slugOfKey, type TitleKey } from '#storage/title-key.ts'
import { usePlayer } from '#features/player/store.ts'
import { currentOwner } from '#session/store.ts'
import { toast } from '#ui/toast.ts'
import { chapterLengths, openedListening } from './lazy.ts'

export interface TitleState {
  readonly finished: boolean
  readonly series: OwnBook['series'][number] | undefined
}

export async function titleState(queryClient: QueryClient, key: TitleKey): Promise<TitleState> {
  const owner = currentOwner()
  if (!owner) return { finished: false, series: undefined }
  const own = await placesDb.use(owner, (db) => db.ownTitles.get(key))
  return { finished: await isFinished(queryClient, owner, key), series: own?.book.series?.[0] }
}

async function isFinished(queryClient: QueryClient, owner: string, key: TitleKey): Promise<boolean> {
  const slug = slugOfKey(key)
  if (formatOfKey(key) === 'ebook') return isReadToTheEnd((await readingOf(owner, slug))?.share ?? 0)
  const place = await resumePlace(owner, slug)
  return place !== undefined && isHeardToTheEnd(await chaptersOf(queryClient, owner, key), place)
}

/**
 * Marks a title as finished or not. The place alone defines what is finished (docs/product.md, Listening):
 * the mark moves it to the end or back, so it is stored, sent and followed by other devices like any place.
 */
export async function markFinished(
  queryClient: QueryClient,
  key: TitleKey,
  title: string,
  finished: boolean,
): Promise<void> {
  const owner = currentOwner()
  if (!owner) return
  const undo =
    formatOfKey(key) === 'ebook'
      ? await markRead(owner, slugOfKey(key), finished)
      : await markHeard(queryClient, owner, key, finished)
  if (!undo) return void toast('You need a connection the first time. Try again when you’re online.')
  toast(finished ? `${title} is marked as finished.` : `${title} is no longer marked as finished.`, {
    action: { label: 'Undo', onPress: () => void undo() },
  })
}

async function markHeard(queryClient: QueryClient, owner: string, key: TitleKey, finished: boolean) {
  const slug = slugOfKey(key)
  const chapters = await chaptersOf(queryClient, owner, key)
  const [first] = chapters
  if (!first) return undefined
  const last = chapters.at(-1)!
  // Store the place being played before the mark, so that it can't overwrite the mark.
  const { controls, state } = usePlayer.getState()
  if (state.title?.kind === 'book' && state.title.slug === slug) controls?.pause()
  const before = await resumePlace(owner, slug)
  const start = { chapter: first.number, seconds: 0 }
  await moveTo(
    slug,
    finished
      ? { chapter: last.number, seconds: last.seconds }
      : ((await beforeTheMark(owner, slug)) ?? start),
  )
  return () => moveTo(slug, before ?? start)
}

/** The listener's place before the mark; undefined if the title was heard to its end. */
async function beforeTheMark(owner: string, slug: string): Promise<ChapterSeconds | undefined> {
  const place = await resumePlace(owner, slug)
  // The listening session of a mark is empty: it starts where it ends.
  if (place?.fromSeconds === undefined || place.fromSeconds < place.seconds) return undefined
  const [past] = await listPastPlaces(owner, slug)
  return past
}

async function moveTo(slug: string, { chapter, seconds }: ChapterSeconds): Promise<void> {
  const { player, isInOtherWindow, state } = usePlayer.getState()
  const isOpen = state.title?.kind === 'book' && state.title.slug === slug
  await (await openedListening())?.returnTo(slug, { chapter, seconds })
  if (isOpen && !isInOtherWindow) player?.engine.stand({ chapter, seconds })
}

/** The first page of any EPUB, for an e-book never opened. */
const FIRST_PAGE = 'epubcfi(/6/2)'

async function markRead(owner: string, slug: string, finished: boolean) {
  const before = await readingOf(owner, slug)
  const write = async (locator: string, share: number) => {
    const event = { eventId: crypto.randomUUID(), clock: readClock() }
    await storeReading(owner, { slug, locator, share, ...event })
    void openedListening()?.then((listening) => listening.sendNow())
  }
  await (finished ? write(before?.locator ?? FIRST_PAGE, 1) : write(FIRST_PAGE, 0))
  return () => write(before?.locator ?? FIRST_PAGE, before?.share ?? 0)
}

async function chaptersOf(queryClient: QueryClient, owner: string, key: TitleKey) {
  const own = await placesDb.use(owner, (db) => db.ownTitles.get(key))
  if (own && own.chapterSeconds.length > 0)
    return own.chapterSeconds.map((seconds, index) => ({ number: index + 1, seconds }))
  const lengths = await chapterLengths(queryClient)(slugOfKey(key)).catch(() => new Map<number, number>())
  return [...lengths].map(([number, seconds]) => ({ number, seconds })).sort((a, b) => a.number - b.number)
}
