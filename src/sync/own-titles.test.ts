import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import type { LibraryEntry } from '#contract/library.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { isNews } from '#storage/own-title.ts'
import { followOwnTitles, readOwnTitles } from './own-titles.ts'

const entry = (number: number): LibraryEntry =>
  ({
    id: String(number),
    addedAt: new Date(number * 1000).toISOString(),
    audioBook: aTitle({ slug: `title-${number}`, title: `Title ${number}` }),
    eBook: null,
    chapterSeconds: [600],
  }) as LibraryEntry

/** A fake server with these titles, newest first, in pages of 100. */
const serverWith = (numbers: number[]) => (page: number) =>
  Promise.resolve({
    'hydra:totalItems': numbers.length,
    'hydra:member': numbers.slice((page - 1) * 100, page * 100).map(entry),
  })
const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index)

test('listening: all of the account’s titles are stored, newest first; revoked ones go', async () => {
  const owner = crypto.randomUUID()
  expect(await readOwnTitles(owner)).toEqual({ titles: [], whole: false })
  const pages = vi.fn(serverWith(upTo(450)))
  expect((await followOwnTitles(owner, pages)).whole).toBe(true)
  expect(pages).toHaveBeenCalledTimes(5)
  const known = await readOwnTitles(owner)
  expect(known.whole).toBe(true)
  expect(known.titles.map(({ book }) => book.slug)).toEqual(upTo(450).map((number) => `title-${number}`))

  const first = { 'hydra:totalItems': 450, 'hydra:member': upTo(450).slice(0, 10).map(entry) }
  expect(isNews(known, first)).toBe(false)
  expect(isNews(known, { ...first, 'hydra:totalItems': 449 })).toBe(true)
  expect(isNews(known, { ...first, 'hydra:member': [entry(451)] })).toBe(true)

  const less = await followOwnTitles(owner, serverWith(upTo(450).filter((number) => number !== 200)))
  expect(less.titles).toHaveLength(449)
  expect((await readOwnTitles(owner)).titles.map(({ book }) => book.slug)).not.toContain('title-200')
})

test('listening: titles that were added at the same moment keep one order, by their key', async () => {
  const owner = crypto.randomUUID()
  const together = [3, 1, 2].map((number) => ({ ...entry(number), addedAt: new Date(0).toISOString() }))
  await followOwnTitles(owner, () => Promise.resolve({ 'hydra:totalItems': 3, 'hydra:member': together }))
  const slugs = (await readOwnTitles(owner)).titles.map(({ book }) => book.slug)
  expect(slugs).toEqual(['title-1', 'title-2', 'title-3'])
})
