import type { Accessibility } from './accessibility.ts'
import type { BookFile } from './book-file.ts'
import type { Caption } from '#server/db/schema/in-step.ts'
import type { FoundSeries } from '#server/features/catalogue/series-names.ts'

export interface FoundTitle {
  readonly folder: string
  readonly book: BookFile | undefined
  /** `.nfo`, `desc.txt`, `reader.txt`, `.opf`, `metadata.json`. */
  readonly beside?: Described
  /** Used where no other source has a value. */
  readonly placed?: Described
  /** Offsets are from the beginning of the title. */
  readonly chapters?: readonly FoundChapter[]
  readonly sounds: readonly FoundSound[]
  readonly ebooks: readonly FoundEbook[]
  readonly cover: Uint8Array | undefined
  readonly ebookCover: Uint8Array | undefined
  readonly broken: ReadonlyMap<string, string>
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
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

export interface FoundSound extends FoundFile {
  readonly extension: 'mp3' | 'm4a'
  readonly durationMs: number
  readonly tags: SoundTags
  /** WebVTT or SRT beside it. */
  readonly captions?: FoundCaptions
}

export interface FoundCaptions {
  readonly fileName: string
  readonly captions: readonly Caption[]
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

/** Unless `book.json` names another. */
export const isSample = (name: string): boolean => /^sample\.(mp3|m4a)$/i.test(name)

export interface Described {
  readonly title?: string | undefined
  readonly subtitle?: string | undefined
  readonly authors?: readonly string[] | undefined
  readonly narrators?: readonly string[] | undefined
  readonly translator?: string | undefined
  readonly publisher?: string | undefined
  readonly published?: string | undefined
  readonly language?: string | undefined
  readonly description?: string | undefined
  readonly series?: readonly FoundSeries[] | undefined
  readonly tags?: readonly string[] | undefined
  /** ISBN-13. */
  readonly isbn?: string | undefined
}

/** For each field the last source with a value wins. */
export function layOver(...sources: readonly Described[]): Described {
  const entries = sources.flatMap((source) => Object.entries(source))
  return Object.fromEntries(
    entries.filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && !value.length),
    ),
  )
}

/** A title in both formats has two rows in `books`. */
export type Format = 'audio_book' | 'e_book'
