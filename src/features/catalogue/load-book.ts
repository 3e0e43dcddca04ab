import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import type { Book } from '#contract/catalogue.ts'
import { titleKey } from '#storage/title-key.ts'
import { readValue } from '#storage/values.ts'
import { sells, themeOf, type BookKind } from './model.ts'
import { bookQuery, ownBookQuery, relatedQuery } from './queries.ts'
import { NetProblem } from '#net/problem.ts'
import type { TitleTheme } from '#ui/title-theme.ts'

/**
 * Everything the first render of a book page needs. An unknown book is not found; one that visitors may not
 * see is left to the screen, which asks again as its owner (BOOK-15).
 */
export async function loadBook(
  { queryClient, answer }: { queryClient: QueryClient; answer: { status?: number } },
  kind: BookKind,
  slug: string,
): Promise<{ band: TitleTheme } | undefined> {
  const related = queryClient.prefetchQuery(relatedQuery(kind, slug))
  const here = pageOnDevice(queryClient, kind, slug)
  if (!queryClient.getQueryData(bookQuery(kind, slug).queryKey)) {
    const page = await here
    // Shown at once, without waiting for the server (trap 22).
    if (page) return { band: themeOf(page) }
  }
  const book = await queryClient.ensureQueryData(bookQuery(kind, slug)).catch((problem: unknown) => {
    if (!(problem instanceof NetProblem) || problem.status !== 403) throw problem
    answer.status = 403
    return undefined
  })
  // Of a format that this shop does without: its owner has it all the same.
  if (book === null && (sells(kind) || !(await whoIsHere()))) throw notFound()
  await related
  return book ? { band: themeOf(book) } : undefined
}

/** Whoever was logged in here last. */
const whoIsHere = async () =>
  typeof document === 'undefined' ? undefined : readValue('rememberedUser').catch(() => undefined)

/** The stored page of a title that the listener has on this device; the screen then fetches a newer one. */
async function pageOnDevice(
  queryClient: QueryClient,
  kind: BookKind,
  slug: string,
): Promise<Book | undefined> {
  const owner = await whoIsHere()
  if (!owner) return undefined
  const { queryKey } = ownBookQuery(kind, slug, owner.uuid)
  const known = queryClient.getQueryData(queryKey)
  if (known) return known
  const { readTitle } = await import('#storage/sound-store.ts')
  const key = titleKey(kind === 'audio_books' ? 'audio' : 'ebook', slug)
  const title = await readTitle(owner.uuid, key).catch(() => undefined)
  if (!title?.page) return undefined
  queryClient.setQueryData(queryKey, title.page, { updatedAt: 1 })
  return title.page
}
