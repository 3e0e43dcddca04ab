import type { Db } from '../../db/open.ts'
import type { Format } from '#contract/calculations/book-filter.ts'
import { type ListedTitle, selectTitles } from './owner-title-queries.ts'
import { whyNot } from './title-states.ts'

export const MISSING = ['price', 'sound', 'text', 'cover', 'description', 'author'] as const
export type Missing = (typeof MISSING)[number]

export interface TitleFilter {
  /** Each word must occur in the title, slug, authors, narrators, publisher, series or ISBN. */
  readonly words?: string
  readonly format?: Format
  readonly state?: TitleState
  readonly missing?: Missing
}

export const TITLE_STATES = ['on-sale', 'not-on-sale', 'draft', 'listed', 'retired'] as const
export type TitleState = (typeof TITLE_STATES)[number]

export interface OwnersTitle extends ListedTitle {
  /** The effective state: `on-sale`, the state from its file or a command, or `not-on-sale` if something is missing. */
  readonly effectiveState: TitleState
  readonly missing: readonly Missing[]
}

export async function findTitles(
  db: Db,
  { words = '', format, state, missing }: TitleFilter,
): Promise<OwnersTitle[]> {
  const rows = await selectTitles(db, words.split(/\s+/).filter(Boolean), format)
  return rows
    .map((row) => ({ ...row, effectiveState: stateOf(row), missing: missingOf(row) }))
    .filter(
      (title) =>
        (state === undefined || title.effectiveState === state) &&
        (missing === undefined || title.missing.includes(missing)),
    )
}

function stateOf(row: ListedTitle): TitleState {
  const state = row.stateByCommand ?? row.state
  return state !== 'on-sale' ? state : row.sellable ? 'on-sale' : 'not-on-sale'
}

const missingOf = (row: ListedTitle): Missing[] => {
  const lacks = whyNot({ ...row, sellable: false, state: 'on-sale' })
  return [
    ...(lacks.includes('it has no price') ? (['price'] as const) : []),
    ...(row.deliverable ? [] : [row.format === 'audio_book' ? ('sound' as const) : ('text' as const)]),
    ...(row.hasCover ? [] : (['cover'] as const)),
    ...(row.hasDescription ? [] : (['description'] as const)),
    ...(row.authors ? [] : (['author'] as const)),
  ]
}
