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
 * Loads what the first render of a book page needs. A 403 is left to the screen, which asks again as the owner
 * (BOOK-15).
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
  // A format that the shop no longer sells is still shown to owners of the book.
  if (book === null && (sells(kind) || !(await whoIsHere()))) throw notFound()
  await related
  return book ? { band: themeOf(book) } : undefined
}

/** The user who was last logged in on this device. */
const whoIsHere = async () =>
  typeof document === 'undefined' ? undefined : readValue('rememberedUser').catch(() => undefined)

/** The page of a downloaded title, as stored on this device; the screen then fetches a newer one. */
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
