import type { Transaction } from '#server/db/open.ts'
import type { Applied } from '../apply.ts'
import type { FoundSound } from '../found.ts'
import type { PlannedPicture } from './pictures.ts'

export interface Applying {
  readonly now: Date
  /** Checks everything and writes nothing. */
  readonly dryRun: boolean
  /** The pieces that this run brings, by slug: a dry run would not find them in the shop. */
  readonly coming: Coming
}

export interface Coming {
  readonly books: ReadonlySet<string>
  readonly authors: ReadonlySet<string>
  readonly publishers: ReadonlySet<string>
}

/** A file of the content, read and decided; what only the shop knows is asked when it is applied. */
export interface Piece {
  /** What it is, for the report. */
  readonly about: string
  readonly pictures: readonly PlannedPicture[]
  readonly sounds: readonly FoundSound[]
  readonly warnings: readonly string[]
  /** Throws `ImportRefused` for what the shop does not know. Pictures and sound are in the store by now. */
  apply(tx: Transaction, applying: Applying): Promise<Applied>
}

export const created: Applied = { outcome: 'created', changes: [], warnings: [] }
export const changedBy = (changes: readonly string[]): Applied => ({
  outcome: changes.length > 0 ? 'changed' : 'same',
  changes,
  warnings: [],
})

/** A list without pictures or sound. */
export const listPiece = (about: string, apply: Piece['apply']): Piece => ({
  about,
  pictures: [],
  sounds: [],
  warnings: [],
  apply,
})

/** @param stood how many entries the list had before */
export const listChanged = (stood: number, changes: readonly string[]): Applied =>
  stood === 0 && changes.length > 0 ? created : changedBy(changes)
