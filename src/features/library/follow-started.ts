import type { DeviceKey } from '#session/log-out.ts'
import { localStore } from '#storage/page-storage.ts'
import { chapterInWords } from '#format/chapter.ts'
import { formatPairsIn, otherFormatIn, withoutOlderFormats } from '#storage/format-pairs.ts'
import type { LocalPlace, OwnTitle, PlacesDb, ReadingPlace } from '#storage/places-db.ts'
import { areOwnTitlesWhole } from '#sync/own-titles.ts'
import { soundDb } from '#storage/sound-db.ts'
import { slugOfKey, titleKey, type TitleKey } from '#storage/title-key.ts'
import { arePlacesKnown, watchPlaces } from '#storage/places.ts'
import { whileSeen } from '#ui/while-seen.ts'
import { progressOf, progressWords, readingOf } from './model.ts'
import { keepStarted, type StartedTitle } from './started.ts'

/** The home page shows the last title, and up to three more. */
const SHOWN = 4
/** Read beyond those shown: some are finished, or no longer owned. */
const LOOKED_AT = 24

/** The title of a chapter that the player's device knows; `undefined` if it doesn't. */
export type ChapterTitleOf = (slug: string, chapter: number) => string | undefined

/** For index.html, which can't wait for a database: the keys of all owned titles, each between spaces. */
const OWNED = 'owned' satisfies DeviceKey

const storeOwned = (keys: readonly TitleKey[]) => localStore.setItem(OWNED, ` ${keys.join(' ')} `)

/** Keeps the lists of started and of owned titles as this device knows them. Returns a stop, for a user who leaves. */
export function followStarted(owner: string, chapterTitleOf: ChapterTitleOf): () => void {
  const stop = whileSeen(() => {
    const stopStarted = watchPlaces(
      owner,
      async (db) => ({
        titles: await startedTitles(owner, db, chapterTitleOf),
        isComplete: (await areOwnTitlesWhole(db)) && (await arePlacesKnown(db)),
      }),
      ({ titles, isComplete }) => keepStarted(owner, titles, isComplete),
    )
    const stopOwned = watchPlaces(owner, (db) => db.ownTitles.toCollection().primaryKeys(), storeOwned)
    return () => {
      stopStarted()
      stopOwned()
    }
  })
  return () => {
    stop()
    localStore.removeItem(OWNED)
  }
}

async function startedTitles(
  owner: string,
  db: PlacesDb,
  chapterTitleOf: ChapterTitleOf,
): Promise<readonly StartedTitle[]> {
  const [places, readings, pairs] = await Promise.all([
    db.places.toArray(),
    db.readings.toArray(),
    formatPairsIn(db),
  ])
  const all = [
    ...places.map((place) => ({ key: titleKey('audio', place.slug), atMs: place.heardAtMs, place })),
    ...readings.map((reading) => ({ key: titleKey('ebook', reading.slug), atMs: reading.readAtMs, reading })),
  ].sort((one, other) => other.atMs - one.atMs)
  const last = withoutOlderFormats(all, pairs).slice(0, LOOKED_AT)
  const titles = await db.ownTitles.bulkGet(last.map(({ key }) => key))
  const started = titles.flatMap((title, index) => (title ? (startedTitle(title, last[index]!) ?? []) : []))
  return Promise.all(
    started.slice(0, SHOWN).map(async ({ chapters, chapterTitles, ...title }) => ({
      ...title,
      other: await ownedFormat(db, otherFormatIn(pairs, title.key)),
      chapter: title.place
        ? chapterInWords(
            title.place.chapter,
            chapterTitles?.[title.place.chapter - 1] ??
              (await chapterTitleHere(owner, title.key, title.place.chapter, chapterTitleOf)),
            chapters,
          )
        : '',
    })),
  )
}

const ownedFormat = async (db: PlacesDb, key: TitleKey | undefined): Promise<TitleKey | undefined> =>
  key && (await db.ownTitles.get(key))?.key

interface At {
  readonly place?: LocalPlace
  readonly reading?: ReadingPlace
}

function startedTitle({ key, book, chapterSeconds, chapterTitles }: OwnTitle, { place, reading }: At) {
  const progress = progressOf(chapterSeconds, place) ?? readingOf(reading?.share)
  if (!progress || progress.finished) return undefined
  const left =
    'secondsLeft' in progress
      ? progressWords({ book, chapterSeconds }, progress)
      : pagesLeft(book.pages, progress.share)
  const at = place && {
    chapter: place.chapter,
    seconds: place.seconds,
    fromSeconds: place.fromSeconds,
    heardAtMs: place.heardAtMs,
  }
  return { key, book, share: progress.share, left, place: at, chapters: chapterSeconds.length, chapterTitles }
}

const pagesLeft = (pages: number | null, share: number): string => {
  const left = Math.max(1, Math.round((pages ?? 0) * (1 - share)))
  return pages ? `About ${left === 1 ? 'a page' : `${left} pages`} left` : ''
}

/** For a library that was fetched without chapter titles: downloads have them, and the last title in the player. */
async function chapterTitleHere(
  owner: string,
  key: TitleKey,
  chapter: number,
  chapterTitleOf: ChapterTitleOf,
): Promise<string | undefined> {
  const stored = await soundDb.use(owner, (db) => db.titles.get(key)).catch(() => undefined)
  return (
    stored?.page?.chapters.find((each) => each.chapterOrderNumber === chapter)?.chapterTitle ??
    chapterTitleOf(slugOfKey(key), chapter)
  )
}
