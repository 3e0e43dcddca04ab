import { Dexie, type EntityTable, type Table } from 'dexie'
import type { BookCard } from '#contract/catalogue.ts'
import { perOwnerDatabases } from './open.ts'
import type { TitleKey } from './title-key.ts'

/** A listener's position in a book, as seen from this device. `heardAtMs` is this device's clock. */
export interface LocalPlace {
  slug: string
  chapter: number
  seconds: number
  heardAtMs: number
  eventId: string | null
  deviceId: string | null
  /** The server's event that this position is based on: the latest one known to the listener at the time. */
  basedOn: string | null
  /** Where in the chapter the stretch of listening began; absent if unknown. */
  fromSeconds?: number | undefined
  /** Same as in `HeardPlace`; absent for another device's position, whose number is the server's. */
  sound?: string | undefined
}

/** A position that the server has not confirmed. It is removed only after the server's answer. */
export interface WaitingEvent {
  eventId: string
  sequence: number
  slug: string
  chapter: number
  seconds: number
  heardAtMs: number
  /** When it was heard, by one page load's monotonic clock, which users cannot change (trap 2). */
  clock: { page: string; ms: number }
  /** Server clock minus this device's at that time; null if the server had never answered. */
  offsetMs: number | null
  basedOn: string | null
  tries: number
  /** 1 after too many refusals: stored and shown, but no longer sent. */
  setAside: 0 | 1
  /** Listened seconds that this event covers, for the receipt. */
  listenedSeconds: number
  /** 1 once sending failed because there was no answer. */
  held: 0 | 1
  /** Both are the same as in `LocalPlace`. */
  fromSeconds?: number | undefined
  sound?: string | undefined
}

export interface DatedPlace {
  chapter: number
  seconds: number
  heardAt: string
  eventId: string | null
  deviceId: string | null
  /** The device's name in the server's last answer. */
  deviceName?: string
  /** Calculated from the e-book's place. */
  isRead?: true
}

/** The server's latest position in a book. `rowId` is needed to fetch its history. */
export interface ServerPlace extends DatedPlace {
  slug: string
  rowId: string
}

/** Both this device and another one moved: the listener chooses. */
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
  /** Same as in `HeardPlace`; absent for a bookmark of another device, whose number is the server's. */
  sound?: string | undefined
  /** Of the e-book; absent if it isn't known for certain. */
  sentence?: string | undefined
  note: string
  madeAtMs: number
  confirmed?: 1
  /** When the note was written, by the server's clock, once confirmed. */
  changedAtMs?: number
}

/** A marked passage of an e-book. Its sync fields are the same as a bookmark's. */
export interface Highlight extends Omit<Bookmark, 'chapter' | 'seconds' | 'sound' | 'sentence'> {
  locator: string
  share: number
  quote: string
  chapter: string
}

/** The last unconfirmed change of a bookmark or a highlight. It is removed only after the server's answer. */
export interface MarkChange {
  id: string
  kind: 'written' | 'removed'
  eventId: string
  sequence: number
  changedAtMs: number
  clock: { page: string; ms: number }
  offsetMs: number | null
  tries: number
  /** 1 after too many refusals: stored, but no longer sent. */
  setAside: 0 | 1
}

/**
 * The speed chosen for a book. `chosenAtMs` is this device's clock until the server confirms it, then the
 * server's.
 */
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
 * The reader's position in an e-book, as seen from this device, and also its unsent change: only the last
 * position of a book counts, so an unsent one is replaced.
 */
export interface ReadingPlace {
  slug: string
  locator: string
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

/** The fields of a title that the library shows, sorts and searches by. */
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

export interface OwnTitle {
  key: TitleKey
  addedAtMs: number
  book: OwnBook
  chapterSeconds: number[]
  /** In the same order; undefined for a title that was stored before they were sent. */
  chapterTitles?: string[] | undefined
}

/** A title in the queue, a shelf made by the listener, or a title on it; and also its unsent change. */
export interface ListRow {
  id: string
  kind: 'queue' | 'shelf' | 'shelfTitle'
  /** Fractional index: the sort key among rows of one kind. */
  position: string
  /** For a title in the queue or on a shelf. */
  key?: TitleKey
  shelf?: string
  name?: string
  /** A removed row stays until the server confirms it, so that no older answer restores it. */
  removed: 0 | 1
  /** This device's clock until the server confirms it, then the server's. */
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
 * Separate from the sound: a full disk rolls back a whole transaction, and a position must never be in it
 * (trap 12). A new version may add tables, indexes and fields; it must never rename or re-type one, since the
 * previous release may still be open in another tab or wake up as the worker (trap 17).
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
