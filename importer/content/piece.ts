import type { Transaction } from '#server/db/open.ts'
import type { Applied } from '../apply.ts'
import type { FoundSound } from '../found.ts'
import type { PlannedPicture } from './pictures.ts'

export interface Applying {
  readonly now: Date
  readonly dryRun: boolean
  /** A dry run cannot find them in the database. */
  readonly coming: Coming
}

export interface Coming {
  readonly books: ReadonlySet<string>
  readonly authors: ReadonlySet<string>
  readonly publishers: ReadonlySet<string>
}

/** References to other data are checked when it is applied. */
export interface Piece {
  readonly about: string
  readonly pictures: readonly PlannedPicture[]
  readonly sounds: readonly FoundSound[]
  readonly warnings: readonly string[]
  /** Called when pictures and sound are in the media store. @throws `ImportRefused` for references to unknown data */
  apply(tx: Transaction, applying: Applying): Promise<Applied>
}

export const created: Applied = { outcome: 'created', changes: [], warnings: [] }
export const changedBy = (changes: readonly string[]): Applied => ({
  outcome: changes.length > 0 ? 'changed' : 'same',
  changes,
  warnings: [],
})

export const piece = (
  about: string,
  apply: Piece['apply'],
  more: Partial<Pick<Piece, 'pictures' | 'sounds' | 'warnings'>> = {},
): Piece => ({ about, pictures: [], sounds: [], warnings: [], ...more, apply })

export const listChanged = (stood: number, changes: readonly string[]): Applied =>
  stood === 0 && changes.length > 0 ? created : changedBy(changes)

export type Kind = 'article' | 'interview' | 'discussion'

export interface DesiredItem {
  readonly title: string
  readonly summary: string
  readonly shortDescription: string
  readonly main: string
  readonly pictureId: string | null
  readonly altText: string
  readonly published: boolean
  readonly featured: boolean
  readonly special: boolean
  readonly memberOnly: boolean
  readonly minimumTier: 'supporter' | 'reader' | null
  readonly hideAuthor: boolean
  readonly videoLink: string | null
  readonly audioId: string | null
  readonly link: string | null
  readonly linkTitle: string | null
  readonly metaDescription: string | null
  readonly metaKeywords: string | null
  readonly place: string | null
  readonly placeNote: string | null
  readonly admission: string | null
  readonly goodToKnow: string[]
  readonly seats: number | null
  readonly backgroundColour: string | null
  readonly containerColour: string | null
  readonly textColour: string | null
  readonly parts: readonly { readonly seconds: number; readonly title: string }[] | null
  readonly author: string | null
  readonly category: string | null
  readonly type: string | null
  readonly books: readonly string[]
  /** Hash of the file's dates. While it stays the same, a date counted in days keeps its value. */
  readonly timing: string
}

export interface Timing {
  readonly publishedAt?: string
  readonly publishedDaysAgo?: number
  readonly startsAt?: string
  readonly startsInDays?: number
  /** Hours of the day in London. */
  readonly from?: string
  readonly until?: string
}
