import type { EditorialLink } from '#contract/catalogue.ts'
import type { Db } from '../../db/open.ts'
import { type LinkRow, selectLinksOf } from './editorial-link-queries.ts'

export interface RelatedEditorial {
  readonly relatedArticles: EditorialLink[]
  readonly relatedInterviews: EditorialLink[]
  readonly relatedDiscussions: EditorialLink[]
}

/** For a book's page (BOOK-13, BOOK-26, BOOK-27). */
export async function relatedTo(db: Db, bookId: number): Promise<RelatedEditorial> {
  const rows = await selectLinksOf(db, bookId)
  const of = (kind: LinkRow['kind']) => rows.filter((row) => row.kind === kind).map(linkView)
  return {
    relatedArticles: of('article'),
    relatedInterviews: of('interview'),
    relatedDiscussions: of('discussion'),
  }
}

/** In the folder of the covers, with the same kind of file name. */
export const pictureAddress = (id: string | null): string | null =>
  id === null ? null : `/media/covers/${id.slice(0, 2)}/${id}-900.webp`

export const linkView = (row: LinkRow): EditorialLink => ({
  slug: row.slug,
  title: row.title,
  shortDescription: row.short_description,
  image: pictureAddress(row.picture_id),
  altText: row.alt_text,
})
