import type { Stretch } from '#contract/calculations/in-step.ts'
import type { ChapterSeconds, ResumePlace } from '#storage/place.ts'
import type { Playback } from './engine-interface.ts'
import type { Chapter, Playable, TitleRef } from './model.ts'

/** The address of a chapter's audio. `stored`: on this device, so that it plays without a request. */
export interface Sound {
  readonly url: string
  readonly stored: boolean
}

/** Implemented by `features/listening`. */
interface PlacePorts {
  /** The last place on any device; undefined for a book not started. */
  lastPlace: (slug: string) => Promise<ResumePlace | undefined>
  /** Informs the other tabs that this one plays; returns the function that releases the claim. */
  claimSound: (onLost: () => void) => () => void
  /**
   * Moves the sound to this device on play. If another device may be playing, resolves to the place at which
   * it stopped, after half a second at most; otherwise returns undefined immediately.
   */
  takeOver?: (at: Playback) => Promise<ChapterSeconds | undefined> | undefined
}

/**
 * What the engine and its helpers need from titles, device and network; see `src/app/player-ports.ts`.
 *
 * The methods may be slow or fail: playback continues.
 */
export interface PlayerPorts extends PlacePorts {
  /** Rejects like a screen's loader if the book is unknown or the user may not listen to it. */
  loadBook: (slug: string) => Promise<Playable>
  loadSample: (slug: string) => Promise<Playable>
  /** `slug` is the kind and slug of the piece, as in its address. */
  loadRecording: (slug: string) => Promise<Playable>
  /**
   * Undefined while unavailable, for example offline and not stored. Synchronous
   * where possible. `fresh`: the last address failed, so sign a new one.
   */
  soundFor: (
    title: TitleRef & { readonly chapters?: readonly Chapter[] },
    chapter: number,
    options: { fresh: boolean },
  ) => Sound | undefined | Promise<Sound | undefined>
  /**
   * Called a few seconds before a stored chapter is needed, so that the service worker is running by then.
   */
  warm?: (sound: Sound) => void
  /** Stores these chapters in this order, if possible; resolves when done (PLAY-08). */
  prefetch: (slug: string, chapters: readonly number[]) => Promise<unknown>
  /** By chapter number, in hundredths of a second; undefined for a book that wasn't analysed. */
  readonly silences?: (title: Playable) => Promise<ReadonlyMap<number, readonly Stretch[]> | undefined>
  /** Where the text begins in the first chapter, in seconds; undefined if that isn't known for certain. */
  readonly creditsEnd?: (title: Playable) => Promise<number | undefined>
  readonly next?: NextPort
  readonly speeds: SpeedStore
  readonly bookmarks: BookmarkStore
  readonly connectivity: Connectivity
}

export interface NextTitle {
  readonly slug: string
  readonly title: string
  /** "Book 2 of 5", "From your queue". */
  readonly why: string
}

/** The next title after a book, by the listener's settings. */
export interface NextPort {
  /** Undefined if playback should end. */
  after: (slug: string) => Promise<NextTitle | undefined>
  begun: (next: NextTitle) => void
  failed: (next: NextTitle) => void
}

/** Speeds of books, synced between the listener's devices. */
export interface SpeedStore {
  /** The book's speed; for a book never played, the last chosen speed. */
  read: (slug: string) => Promise<number | undefined>
  keep: (slug: string, speed: number) => Promise<unknown>
  /** Called when the book starts to play at this speed, chosen or default. */
  storeBegun: (slug: string, speed: number) => Promise<unknown>
  /**
   * Reports each new speed of the book, chosen here or on another device. Returns the function that
   * unsubscribes.
   */
  subscribe: (slug: string, onSpeed: (speed: number) => void) => () => void
}

export interface Bookmark extends ChapterSeconds {
  readonly id: string
  readonly slug: string
  /** SHA-256 of the chapter's file, for a bookmark of this device. */
  readonly sound?: string | undefined
  readonly sentence?: string | undefined
  readonly note: string
  readonly madeAtMs: number
}

export interface EarlierNote {
  readonly note: string
  readonly changedAt: string
}

export interface BookmarkStore {
  /** Sorted by place in the book. */
  list: (slug: string) => Promise<readonly Bookmark[]>
  put: (bookmark: Bookmark) => Promise<unknown>
  /** Removing a missing bookmark is not an error. */
  remove: (id: string) => Promise<unknown>
  /** Replaced notes, newest first; rejects without a connection. */
  earlierNotes: (id: string) => Promise<readonly EarlierNote[]>
  /**
   * Reports changes of the book's bookmarks, here or on another device. Returns the function that
   * unsubscribes.
   */
  subscribe: (slug: string, onChange: () => void) => () => void
}

interface Connectivity {
  isOnline: () => boolean
  subscribe: (onChange: () => void) => () => void
}

/** The title exists, but has no audio for this listener: not logged in, not owned, or not available yet. */
export class NoSound extends Error {}
