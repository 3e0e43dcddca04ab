import type { ChapterSeconds, ResumePlace } from '#storage/place.ts'
import type { Playback } from './engine-interface.ts'
import type { Playable, TitleRef } from './model.ts'

/** The address of a chapter's sound. `stored`: on this device, so that it starts without a request. */
export interface Sound {
  readonly url: string
  readonly stored: boolean
}

/** Implemented by `features/listening`. */
interface PlacePorts {
  /** The last place on any device; undefined for a book that was not started. */
  lastPlace: (slug: string) => Promise<ResumePlace | undefined>
  /** Tells the other tabs that this one plays; the returned function gives that up. */
  claimSound: (onLost: () => void) => () => void
  /**
   * Play was pressed: this device has the sound. If another device may have the sound, the place at which it
   * stopped, after half a second at most; undefined at once where none does.
   */
  takeOver?: (at: Playback) => Promise<ChapterSeconds | undefined> | undefined
}

/**
 * Everything that the engine and its helpers ask of titles, device and network (`src/app/player-ports.ts`).
 *
 * The methods may be slow or fail as they like: sound that runs keeps running.
 */
export interface PlayerPorts extends PlacePorts {
  /** Rejects like any screen's own load where the book is unknown or may not be heard. */
  loadBook: (slug: string) => Promise<Playable>
  loadSample: (slug: string) => Promise<Playable>
  /** `slug` is the kind and slug of the piece, as in its address. */
  loadRecording: (slug: string) => Promise<Playable>
  /**
   * Undefined while it cannot be had, for instance offline and not stored. At once rather than by promise
   * where possible. `fresh`: the last address did not work, so sign a new one.
   */
  soundFor: (
    title: TitleRef,
    chapter: number,
    options: { fresh: boolean },
  ) => Sound | undefined | Promise<Sound | undefined>
  /** Called a few seconds before a stored chapter is needed, so that the worker is awake by then. */
  warm?: (sound: Sound) => void
  /** Stores these chapters of a book, in this order, if there is a way; resolves when it is done (PLAY-08). */
  prefetch: (slug: string, chapters: readonly number[]) => Promise<unknown>
  readonly next?: NextPort
  readonly speeds: SpeedStore
  readonly bookmarks: BookmarkStore
  readonly connectivity: Connectivity
}

/** A title that plays when a book has ended. */
export interface NextTitle {
  readonly slug: string
  readonly title: string
  /** "Book 2 of 5", "From your queue". */
  readonly why: string
}

/** What comes after a book, as the listener chose. */
export interface NextPort {
  /** Undefined for silence. */
  after: (slug: string) => Promise<NextTitle | undefined>
  /** It plays. */
  begun: (next: NextTitle) => void
  /** It could not be opened. */
  failed: (next: NextTitle) => void
}

/** Speeds of books, on all devices of the listener. */
export interface SpeedStore {
  /** The book's own; of one never heard, the one chosen last. */
  read: (slug: string) => Promise<number | undefined>
  keep: (slug: string, speed: number) => Promise<unknown>
  /** The book begins to play at this speed, chosen or not. */
  storeBegun: (slug: string, speed: number) => Promise<unknown>
  /** Called with every speed that the book has from now on, chosen here or elsewhere; the returned function ends it. */
  subscribe: (slug: string, onSpeed: (speed: number) => void) => () => void
}

export interface Bookmark extends ChapterSeconds {
  readonly id: string
  readonly slug: string
  readonly note: string
  readonly madeAtMs: number
}

export interface EarlierNote {
  readonly note: string
  /** When it was written. */
  readonly changedAt: string
}

export interface BookmarkStore {
  /** In the order of the book. */
  list: (slug: string) => Promise<readonly Bookmark[]>
  /** Adds a bookmark or updates its note. */
  put: (bookmark: Bookmark) => Promise<unknown>
  /** Removing one that is gone is no error. */
  remove: (id: string) => Promise<unknown>
  /** Notes that gave way to a newer one, newest first; rejects without a connection. */
  earlierNotes: (id: string) => Promise<readonly EarlierNote[]>
  /** Called when those of the book changed, here or elsewhere; the returned function ends it. */
  subscribe: (slug: string, onChange: () => void) => () => void
}

interface Connectivity {
  isOnline: () => boolean
  /** Called at every change; the returned function ends it. */
  subscribe: (onChange: () => void) => () => void
}

/** The title exists, but has no sound for this listener: not logged in, not owned, or not there yet. */
export class NoSound extends Error {}
