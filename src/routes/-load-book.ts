import { notFound } from '@tanstack/react-router'
import { themeOf, type BookKind } from '#features/catalogue/model.ts'
import { bookQuery, relatedQuery } from '#features/catalogue/queries.ts'
import { NetProblem } from '#net/problem.ts'
import type { TitleTheme } from '#ui/title-theme.ts'
import type { RouterContext } from '../app/router.tsx'

/**
 * Everything the first render of a book page needs. An unknown book is not found; one that visitors may not
 * see is left to the screen, which asks again as its owner (BOOK-15).
 */
export async function loadBook(
  { queryClient, answer }: RouterContext,
  kind: BookKind,
  slug: string,
): Promise<{ band: TitleTheme } | undefined> {
  const related = queryClient.prefetchQuery(relatedQuery(kind, slug))
  const book = await queryClient.ensureQueryData(bookQuery(kind, slug)).catch((problem: unknown) => {
    if (!(problem instanceof NetProblem) || problem.status !== 403) throw problem
    answer.status = 403
    return undefined
  })
  if (book === null) throw notFound()
  await related
  return book && { band: themeOf(book) }
}
