import { Dexie, type EntityTable, type Table } from 'dexie'
import type { BookCard } from '#contract/catalogue.ts'
import { perOwnerDatabases } from './open.ts'
import type { TitleKey } from './title-key.ts'

/** The place of a listener in a book, as seen from this device. `heardAtMs` is this device's clock. */
export interface LocalPlace {
  slug: string
  chapter: number
  seconds: number
  heardAtMs: number
  eventId: string | null
  deviceId: string | null
  /** The server's event this place goes on from: what the listener knew of when it was heard. */
  basedOn: string | null
  /** Where in the chapter the stretch of listening began; absent where nobody said. */
  fromSeconds?: number | undefined
}

/** One thing heard that the server has not confirmed. Leaves only on its word. */
export interface WaitingEvent {
  eventId: string
  sequence: number
  slug: string
  chapter: number
  seconds: number
  heardAtMs: number
  /** When it was heard by the clock of one page's life, which no listener can set (trap 2). */
  clock: { page: string; ms: number }
  /** Server clock minus this device's at that time; null where the server had never been heard. */
  offsetMs: number | null
  basedOn: string | null
  tries: number
  /** 1 when the server refused it too often: kept and shown, no longer sent. */
  setAside: 0 | 1
  /** Seconds of sound that lie behind it, for the receipt. */
  listenedSeconds: number
  /** 1 once it could not be sent because nobody answered. */
  held: 0 | 1
  /** As in the place. */
  fromSeconds?: number | undefined
}

/** A point that was heard, with the instant and the device. */
export interface DatedPlace {
  chapter: number
  seconds: number
  /** ISO instant. */
  heardAt: string
  eventId: string | null
  deviceId: string | null
  /** What the device was called when the server last said so. */
  deviceName?: string
}

/** The server's last place of a book. `rowId` opens its history. */
export interface ServerPlace extends DatedPlace {
  slug: string
  rowId: string
}

/** This device and the server both moved: the listener chooses. */
export interface TwoPlaces {
  slug: string
  here: DatedPlace
  there: DatedPlace
  foundAtMs: number
}

export interface PastPlace extends DatedPlace {
  id?: number
  slug: string
}

export interface Bookmark {
  id: string
  slug: string
  chapter: number
  seconds: number
  note: string
  madeAtMs: number
  /** 1 once the server has it. */
  confirmed?: 1
  /** When the note was written, by the server's clock, once it said so. */
  changedAtMs?: number
}

/** Words of an e-book that were marked. The fields of a bookmark that say what the server knows are the same. */
export interface Highlight extends Omit<Bookmark, 'chapter' | 'seconds'> {
  /** EPUB CFI of the words. */
  locator: string
  /** How much of the book lies before them, 0 to 1. */
  share: number
  quote: string
  /** As the book's contents call it. */
  chapter: string
}

/** The last change of a bookmark or a highlight that the server has not confirmed. Leaves only on its word. */
export interface MarkChange {
  id: string
  kind: 'written' | 'removed'
  eventId: string
  sequence: number
  changedAtMs: number
  clock: { page: string; ms: number }
  offsetMs: number | null
  tries: number
  /** 1 when the server refused it too often: kept here, no longer sent. */
  setAside: 0 | 1
}

/** The speed that was chosen for a book. `chosenAtMs` is this device's clock while it waits, then the server's. */
export interface BookSpeed {
  slug: string
  speed: number
  chosenAtMs: number
  /** 1 until the server confirmed it. */
  waiting: 0 | 1
  clock: { page: string; ms: number }
  offsetMs: number | null
  tries: number
}

/** A save and its time; shown once the server has it. */
export interface Receipt {
  id?: number
  savedAtMs: number
  heardFromMs: number
  listenedSeconds: number
  slugs: string[]
}

/**
 * Where a reader is in an e-book, as seen from this device, and at once what the server has to hear of it:
 * only the last place of a book counts, so a waiting one is simply replaced.
 */
export interface ReadingPlace {
  slug: string
  /** EPUB CFI. */
  locator: string
  /** How much of the book lies before it, 0 to 1. */
  share: number
  readAtMs: number
  eventId: string | null
  deviceId: string | null
  /** 1 until the server confirmed it. */
  waiting: 0 | 1
  sequence: number
  clock: { page: string; ms: number }
  offsetMs: number | null
  tries: number
}

/** What a shelf shows of a title, and sorts and finds it by. */
export type OwnBook = Pick<
  BookCard,
  | 'entityType'
  | 'slug'
  | 'title'
  | 'authors'
  | 'narrators'
  | 'series'
  | 'cover330'
  | 'cover900'
  | 'coverPlaceholder'
  | 'bookBackgroundColour'
  | 'containerBackgroundColour'
  | 'textColour'
  | 'lengthHours'
  | 'lengthMin'
  | 'pages'
>

/** A title that the listener owns, downloaded or not. */
export interface OwnTitle {
  key: TitleKey
  addedAtMs: number
  book: OwnBook
  chapterSeconds: number[]
}

/** A title of the queue, a shelf of the listener's own, or a title on it; and at once what the server has to hear of it. */
export interface ListRow {
  id: string
  kind: 'queue' | 'shelf' | 'shelfTitle'
  /** A fraction; rows of a kind are ordered by it. */
  position: string
  /** Of a queue or a shelf. */
  key?: TitleKey
  /** The id of the shelf that a title stands on. */
  shelf?: string
  /** Of a shelf. */
  name?: string
  /** A removed one stays until the server knows, so that nothing older brings it back. */
  removed: 0 | 1
  /** This device's clock while it waits, then the server's. */
  changedAtMs: number
  eventId: string
  sequence: number
  /** 1 until the server confirmed it. */
  waiting: 0 | 1
  clock: { page: string; ms: number }
  offsetMs: number | null
  tries: number
}

export type PlacesDb = Dexie & {
  listRows: Table<ListRow, string>
  ownTitles: EntityTable<OwnTitle, 'key'>
  places: EntityTable<LocalPlace, 'slug'>
  chapters: Table<Pick<LocalPlace, 'slug' | 'chapter' | 'seconds' | 'heardAtMs'>, [string, number]>
  outbox: EntityTable<WaitingEvent, 'eventId'>
  server: EntityTable<ServerPlace, 'slug'>
  twoPlaces: EntityTable<TwoPlaces, 'slug'>
  history: EntityTable<PastPlace, 'id'>
  bookmarks: Table<Bookmark, string>
  bookmarkChanges: Table<MarkChange, string>
  highlights: Table<Highlight, string>
  highlightChanges: Table<MarkChange, string>
  speeds: Table<BookSpeed, string>
  settings: EntityTable<{ name: string; value: unknown }, 'name'>
  receipts: EntityTable<Receipt, 'id'>
  readings: Table<ReadingPlace, string>
}

/**
 * Apart from the sound: a full disk rolls back a whole transaction, and a place must never be in it (trap 12).
 * A new version may add tables, indexes and fields; it never renames or re-types one, since the previous
 * release may still be open in another tab or wake up as the worker (trap 17).
 */
export const placesDb = perOwnerDatabases((ownerUuid) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tables are there once their stores are named below
  const db = new Dexie(`murmur-places-${ownerUuid}`, { chromeTransactionDurability: 'relaxed' }) as PlacesDb
  db.version(1).stores({
    places: 'slug',
    chapters: '[slug+chapter], slug',
    outbox: 'eventId, sequence, slug',
    server: 'slug',
    twoPlaces: 'slug',
    history: '++id, slug',
    bookmarks: 'id, slug',
    settings: 'name',
    receipts: '++id',
  })
  db.version(2).stores({ readings: 'slug' })
  db.version(3).stores({ bookmarkChanges: 'id, sequence', speeds: 'slug' })
  db.version(4).stores({ ownTitles: 'key', listRows: 'id, kind' })
  db.version(6).stores({ highlights: 'id, slug', highlightChanges: 'id, sequence' })
  return db
})
