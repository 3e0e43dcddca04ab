import type { EditorialLink } from '#contract/catalogue.ts'
import type { Db } from '../../db/open.ts'
import type { Kind } from './filter.ts'
import { selectLinksOf } from './rows.ts'
import { linkView } from './views.ts'

export interface RelatedEditorial {
  readonly relatedArticles: EditorialLink[]
  readonly relatedInterviews: EditorialLink[]
  readonly relatedDiscussions: EditorialLink[]
}

/**
 * Articles about a book, for its page (BOOK-13, BOOK-26, BOOK-27). Apart from the other rules, which know the
 * catalogue: the catalogue knows this one.
 */
export async function relatedTo(db: Db, bookId: number): Promise<RelatedEditorial> {
  const rows = await selectLinksOf(db, bookId)
  const of = (kind: Kind) => rows.filter((row) => row.kind === kind).map(linkView)
  return {
    relatedArticles: of('article'),
    relatedInterviews: of('interview'),
    relatedDiscussions: of('discussion'),
  }
}
