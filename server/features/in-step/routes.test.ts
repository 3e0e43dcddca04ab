import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeStretches, decodeTimes, encodeTimes, splitInStep } from '#contract/calculations/in-step.ts'
import { books, chapters } from '#server/db/schema/catalogue.ts'
import { alignments } from '#server/db/schema/in-step.ts'
import { anAudioBook, aUser, inLibrary, signedIn, type TestBook } from '#tests/support/builders.ts'
import { anInStepTitle, SENTENCES, SILENCES } from '#tests/support/in-step.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let audioBook: TestBook
let eBook: TestBook
beforeAll(async () => {
  shop = await testShop()
  ;({ audioBook, eBook } = await anInStepTitle(shop))
})
afterAll(() => shop.close())

/** A listener who owns some titles. */
async function ownerOf(...owned: readonly TestBook[]) {
  const user = await aUser(shop)
  for (const book of owned) await inLibrary(shop, user, book)
  const headers = { ...(await signedIn(shop, user)) }
  return {
    get: (path: string, slug = audioBook.slug) =>
      shop.app.inject({ url: `/api/audio_books/${slug}/in_step${path}`, headers }),
    buy: (book: TestBook) => inLibrary(shop, user, book),
  }
}
const visit = (path: string, slug = audioBook.slug) =>
  shop.app.inject(`/api/audio_books/${slug}/in_step${path}`)

test('in step: owners of both formats get times and words', async () => {
  const { get } = await ownerOf(audioBook, eBook)
  const answer = await get('')
  expect(answer.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'cache-control': 'private, no-store',
  })
  const { chapters: parts, ...version } = splitInStep(answer.rawPayload)
  // An app compares them with the files that it has, and shows no marks in others.
  expect(version).toMatchObject({ eBook: eBook.slug, text: (await rowOf(eBook)).fileId })
  expect(parts[0]!.sound).toBe(await soundOf(audioBook))
  expect(parts).toMatchObject([{ number: 1, title: 'The orchard', loudness: -19.5, source: 'aligned' }])
  expect(decodeTimes(parts[0]!.times).map(({ isCertain }) => isCertain)).toEqual([true, false, true])
  expect(decodeStretches(parts[0]!.silences)).toEqual(SILENCES)
  expect(parts[0]!.words.length).toBeGreaterThan(0)
  const vtt = await get('/1.vtt')
  expect(vtt.headers['content-type']).toBe('text/vtt')
  expect(vtt.body).toBe(`WEBVTT - The orchard

NOTE The times of these cues are estimated, all others are certain: 2

1
00:00:00.300 --> 00:00:01.700
The tide was out.

2
00:00:02.000 --> 00:00:04.300
Nobody had counted &lt;the pears&gt; &amp; apples.

3
00:00:04.500 --> 00:00:05.900
She counted them.

`)
})

test('in step: owners of the audiobook alone get times, silences and headings, and no word of the e-book', async () => {
  const { get, buy } = await ownerOf(audioBook)
  const before = splitInStep((await get('')).rawPayload)
  expect(before.chapters[0]!.words).toHaveLength(0)
  expect(before).toMatchObject({ eBook: null, text: null })
  expect(decodeTimes(before.chapters[0]!.times)).toHaveLength(3)
  expect(decodeStretches(before.chapters[0]!.silences)).toEqual(SILENCES)
  const { body } = await get('/1.vtt')
  expect(body).toContain('00:00:00.000 --> 00:00:06.000\nThe orchard')
  expect(body).not.toMatch(/tide|counted/i)
  // What a device has stored must be fetched again once the words belong to it.
  await buy(eBook)
  const after = splitInStep((await get('')).rawPayload)
  expect(after.chapters[0]!.words.length).toBeGreaterThan(0)
  expect(after.version).not.toBe(before.version)
})

test('in step: others get 404, with the e-book alone too, and visitors 401', async () => {
  for (const { get } of [await ownerOf(), await ownerOf(eBook)])
    for (const path of ['', '/1.vtt']) expect((await get(path)).statusCode, path).toBe(404)
  for (const path of ['', '/1.vtt']) expect((await visit(path)).statusCode, path).toBe(401)
})

test('in step: a chapter or title that is unknown or not analysed is 404', async () => {
  const other = await anAudioBook(shop)
  const { get } = await ownerOf(audioBook, eBook, other)
  for (const [path, slug] of [
    ['/2.vtt'],
    ['/1.vtt', other.slug],
    ['', 'nothing'],
    ['/sample.vtt', other.slug],
  ])
    expect((await get(path!, slug)).statusCode, `${slug} ${path}`).toBe(404)
})

test('in step: of a title that is not analysed its owner gets a file without sentences and silences', async () => {
  const other = await anAudioBook(shop)
  const { get } = await ownerOf(other)
  const { eBook, text, chapters: parts } = splitInStep((await get('', other.slug)).rawPayload)
  expect({ eBook, text }).toEqual({ eBook: null, text: null })
  for (const { times, silences } of parts) expect([times.length, silences.length]).toEqual([0, 0])
})

test('in step: everybody gets the sample, without sentences that may not be in it', async () => {
  const { statusCode, headers, body } = await visit('/sample.vtt')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/vtt')
  expect(body).toContain(SENTENCES[0])
  expect(body).toContain(SENTENCES[2])
  expect(body).not.toContain('Nobody had counted')
})

test('in step: a sample whose sentences are all estimates, or of a title that is not shown, is 404', async () => {
  const estimated = await anInStepTitle(shop)
  await shop.db
    .update(alignments)
    .set({ times: encodeTimes([{ start: 30, end: 170, isCertain: false }]) })
    .where(eq(alignments.soundId, (await rowOf(estimated.audioBook)).sampleId!))
  expect((await visit('/sample.vtt', estimated.audioBook.slug)).statusCode).toBe(404)
  const hidden = await anInStepTitle(shop)
  await shop.db.update(books).set({ published: false }).where(eq(books.id, hidden.audioBook.id))
  expect((await visit('/sample.vtt', hidden.audioBook.slug)).statusCode).toBe(404)
})

test('in step: cards and pages of both formats say it, and lists can ask for it, as long as both are sold', async () => {
  const title = await anInStepTitle(shop)
  const listed = async (path: string) => {
    const answer = await shop.app.inject(`/api/${path}?inStep=true`)
    const { 'hydra:member': cards } = answer.json<{ 'hydra:member': { slug: string; inStep: boolean }[] }>()
    return cards.some(({ slug, inStep }) => slug === title.audioBook.slug && inStep)
  }
  const page = async (path: string) => (await shop.app.inject(`/api/${path}/${title.audioBook.slug}`)).json()
  expect([await listed('audio_books'), await listed('e_books')]).toEqual([true, true])
  expect(await page('audio_books')).toMatchObject({ inStep: true, inStepSample: true })
  await shop.db.update(books).set({ published: false }).where(eq(books.id, title.eBook.id))
  shop.answers.clear()
  expect(await page('audio_books')).toMatchObject({ inStep: false, inStepSample: false })
})

async function soundOf({ id }: TestBook) {
  const [row] = await shop.db.select().from(chapters).where(eq(chapters.bookId, id))
  return row!.soundId
}

async function rowOf({ id }: TestBook) {
  const [row] = await shop.db.select().from(books).where(eq(books.id, id))
  return row!
}
