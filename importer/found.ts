import type { Accessibility } from './accessibility.ts'
import type { BookFile } from './book-schema.ts'
import type { Described } from './described.ts'
import type { FoundSeries } from './series-names.ts'

/** Everything read in a title's folder, before anything is decided. */
export interface FoundTitle {
  /** The folder's own name. */
  readonly folder: string
  readonly book: BookFile | undefined
  /** What the files beside the sound say: `.nfo`, `desc.txt`, `reader.txt`, `.opf`, `metadata.json`. */
  readonly beside?: Described
  /** What the names of the folders say, where nothing else does. */
  readonly placed?: Described
  /** Where the chapters begin in all of the sound. */
  readonly chapters?: readonly FoundChapter[]
  /** In the order of their names. */
  readonly sounds: readonly FoundSound[]
  readonly ebooks: readonly FoundEbook[]
  /** A picture of the whole title, and one of the e-book alone. */
  readonly cover: Uint8Array | undefined
  readonly ebookCover: Uint8Array | undefined
  /** Files that cannot be used, by name, and why. */
  readonly broken: ReadonlyMap<string, string>
  /** Sound and e-books in formats that the shop can't deliver. */
  readonly otherFormats?: readonly string[]
  readonly warnings: readonly string[]
}

export interface FoundChapter {
  readonly title: string | undefined
  readonly startSeconds: number
}

export interface FoundFile {
  /** Path within the title's folder, with `/`; a chapter cut out of a larger file adds `#` and its number. */
  readonly name: string
  /** Where the bytes lie now. */
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

export interface FoundSound extends FoundFile {
  readonly extension: 'mp3' | 'm4a'
  readonly durationMs: number
  readonly tags: SoundTags
}

export interface SoundTags {
  readonly title: string | undefined
  readonly album: string | undefined
  readonly artists: readonly string[]
  readonly narrators: readonly string[]
  readonly track: number | undefined
  readonly disc: number | undefined
  readonly year: number | undefined
  readonly description: string | undefined
  readonly publisher: string | undefined
  readonly series: readonly FoundSeries[]
  readonly picture: Uint8Array | undefined
}

export interface FoundEbook extends FoundFile {
  readonly title: string | undefined
  readonly authors: readonly string[]
  readonly publisher: string | undefined
  readonly language: string | undefined
  readonly description: string | undefined
  readonly published: string | undefined
  readonly series: readonly FoundSeries[]
  /** ISBN-13. */
  readonly isbn: string | undefined
  readonly accessibility: Accessibility
  readonly cover: Uint8Array | undefined
}

/** A file of this name is heard by everybody, unless `book.json` names another. */
export const isSample = (name: string): boolean => /^sample\.(mp3|m4a)$/i.test(name)
