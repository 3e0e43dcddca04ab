import type { Transaction } from '#server/db/open.ts'
import type { Applied } from '../apply.ts'
import type { FoundSound } from '../found.ts'
import type { PlannedPicture } from './pictures.ts'

export interface Applying {
  readonly now: Date
  readonly dryRun: boolean
  /** Slugs that this run imports. A dry run cannot find them in the database. */
  readonly coming: Coming
}

export interface Coming {
  readonly books: ReadonlySet<string>
  readonly authors: ReadonlySet<string>
  readonly publishers: ReadonlySet<string>
}

/** A parsed and validated content file. References to other data are checked when it is applied. */
export interface Piece {
  readonly about: string
  readonly pictures: readonly PlannedPicture[]
  readonly sounds: readonly FoundSound[]
  readonly warnings: readonly string[]
  /**
   * Called when pictures and sound are already in the media store.
   *
   * @throws `ImportRefused` for references to unknown data
   */
  apply(tx: Transaction, applying: Applying): Promise<Applied>
}

export const created: Applied = { outcome: 'created', changes: [], warnings: [] }
export const changedBy = (changes: readonly string[]): Applied => ({
  outcome: changes.length > 0 ? 'changed' : 'same',
  changes,
  warnings: [],
})

export const listPiece = (about: string, apply: Piece['apply']): Piece => ({
  about,
  pictures: [],
  sounds: [],
  warnings: [],
  apply,
})

/** @param stood the number of stored entries before the import */
export const listChanged = (stood: number, changes: readonly string[]): Applied =>
  stood === 0 && changes.length > 0 ? created : changedBy(changes)
