import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSeries, listSeries } from '#contract/series.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { anAudioBook, anEBook, aUser, inLibrary, signedIn, type TestBook } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { aPerson, aSeries, linked } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
/**
 * 1 in both formats, 2 (first in the story), 2.5, a retired title, one not sold here, one to come, one that came
 * out.
 */
let seriesId: number
let retired: TestBook
beforeAll(async () => {
  shop = await testShop()
  const titled = (title: string, more: Partial<typeof books.$inferInsert> = {}) =>
    anAudioBook(shop, { slug: title.toLowerCase(), title, ...more })
  const text = await anEBook(shop, { slug: 'ebb', title: 'Ebb' })
  const ebb = await titled('Ebb', { counterpartId: text.id })
  await shop.db.update(books).set({ counterpartId: ebb.id }).where(eq(books.id, text.id))
  const flood = await titled('Flood', { firstPublished: '2020-01-01' })
  const neap = await titled('Neap')
  retired = await titled('Spring', { state: 'retired' })
  const bore = await titled('Bore', { deliverable: false, preorder: '2027-05-01' })
  seriesId = await aSeries(shop, 'Tides', [
    { books: [neap], number: '2.5' },
    { books: [text, ebb], number: '1' },
    { books: [flood], number: '2', story: 0 },
    { books: [retired], number: '3' },
    { books: [bore], number: '4–5' },
    { title: 'Slack', number: '6' },
    { title: 'NEAP' },
  ])
  await aSeries(shop, 'Harbours', [
    { books: [neap], number: '1' },
    { title: 'The Quay', number: 'ii' },
  ])
  await aSeries(shop, 'Nothing Here', [{ title: 'Gone', number: '1' }])
  await linked(shop, ebb, {
    authors: [await aPerson(shop, 'Ida', 'Frost')],
    narrators: [await aPerson(shop, 'Della', 'Voss')],
  })
  shop.answers.clear()
})
afterAll(() => shop.close())

const ask = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await shop.app.inject({ url, headers })
  return { status: answer.statusCode, body: answer.json() }
}

test('listening: lists a series in order of publication, with each title’s position in the story', async () => {
  const { body } = await ask('/api/series/tides')
  expect(misfits(getSeries.reply, body)).toEqual([])
  expect(body).toMatchObject({ title: 'Tides', titles: 5, last: 6, hasStoryOrder: true })
  expect(body.authors).toMatchObject([{ fullName: 'Ida Frost', slug: 'ida-frost' }])
  expect(body.narrators).toMatchObject([{ fullName: 'Della Voss' }])
  type Title = {
    number: string
    title: string
    storyPlace: number
    comesOut: string
    audioBook: object
    eBook: object
  }
  expect(
    body.inOrder.map(({ number, title, storyPlace, comesOut, audioBook, eBook }: Title) =>
      [number, title, storyPlace, comesOut, audioBook && 'audio', eBook && 'text'].filter(
        (part) => part !== null,
      ),
    ),
  ).toEqual([
    ['1', 'Ebb', 2, 'audio', 'text'],
    ['2', 'Flood', 1, 'audio'],
    ['2.5', 'Neap', 3, 'audio'],
    ['4–5', 'Bore', 4, '2027-05-01', 'audio'],
    ['6', 'Slack', 5],
  ])
  for (const slug of ['not-found', 'unknown']) expect((await ask(`/api/series/${slug}`)).status).toBe(404)
})

test('listening: owners still see a retired title of a series', async () => {
  const owner = await aUser(shop)
  await inLibrary(shop, owner, retired)
  const titles = async (headers: Record<string, string>) =>
    (await ask('/api/series/tides', headers)).body.inOrder.map(({ title }: { title: string }) => title)
  expect(await titles({ ...(await signedIn(shop, owner)) })).toContain('Spring')
  expect(await titles({ ...(await signedIn(shop, await aUser(shop))) })).not.toContain('Spring')
})

test('listening: lists series by name, but only those with a visible title', async () => {
  const { body } = await ask('/api/series')
  expect(misfits(listSeries.reply, body)).toEqual([])
  expect(body['hydra:member']).toMatchObject([
    { title: 'Harbours', titles: 2, last: 1 },
    { id: seriesId, title: 'Tides', titles: 5, last: 6 },
  ])
})

test('listening: cards and books have their position in each series, and lists can be filtered by series', async () => {
  const { body } = await ask(`/api/audio_books?series[]=${seriesId}`)
  expect(body['hydra:totalItems']).toBe(4)
  const neap = body['hydra:member'].find(({ slug }: { slug: string }) => slug === 'neap')
  expect((await ask('/api/audio_books/neap')).body.series).toEqual(neap.series)
  expect(neap.series).toMatchObject([
    { slug: 'tides', title: 'Tides', number: '2.5', last: 6 },
    { slug: 'harbours', number: '1', last: 1 },
  ])
})
