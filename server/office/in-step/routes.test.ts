import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { analyseDue } from '#analysis/analyse-due.ts'
import { mp3, STEREO } from '#importer/fixtures/owners-folder.ts'
import { chapters } from '#server/db/schema/catalogue.ts'
import { ANALYSIS_JOB, selectJob } from '#server/jobs/queries.ts'
import { anEBook } from '#tests/support/builders.ts'
import { aSoundingBook } from '#tests/support/catalogue-builders.ts'
import { anInStepTitle } from '#tests/support/in-step.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let editor: StaffSession
beforeAll(async () => {
  shop = await testShop()
  editor = await signedInStaff(shop, 'editor')
})
afterAll(() => shop.close())

const seen = async (slug: string) => (await editor.ask('GET', `/api/office/titles/${slug}/in_step`)).json()
const analyse = (slug: string) => editor.ask('POST', `/api/office/titles/${slug}/in_step`)
const even = (slug: string, undo: boolean) =>
  editor.ask('POST', `/api/office/titles/${slug}/loudness`, { undo })

test('in step: the office reports loudness and sentences of each chapter, and 404 for what is no audiobook', async () => {
  const { audioBook } = await anInStepTitle(shop)
  expect(await seen(audioBook.slug)).toMatchObject({
    hasText: true,
    isAsked: false,
    isEvened: false,
    chapters: [
      {
        title: 'The orchard',
        loudness: -19.5,
        truePeak: -3,
        sentences: { source: 'aligned', all: 3, placed: 2, note: null },
      },
    ],
  })
  await anEBook(shop, { slug: 'text-only' })
  for (const slug of ['text-only', 'nothing']) expect((await analyse(slug)).statusCode, slug).toBe(404)
})

test('in step: what the office asks for is due at once, and stays asked for until it is done', async () => {
  const { slug } = await aSoundingBook(shop, [{ title: 'One', bytes: mp3({}, STEREO) }], { slug: 'asked' })
  expect((await analyse(slug)).json()).toEqual({ what: 'The analysis comes next' })
  expect(await seen(slug)).toMatchObject({ isAsked: true, chapters: [{ loudness: null }] })
  const job = await selectJob(shop.db, ANALYSIS_JOB)
  expect(job!.dueAt.getTime()).toBeLessThanOrEqual(shop.now().getTime())
  await analyseDue({ db: shop.db, media: shop.media, dataDir: shop.config.dataDir, priority: () => 0 })
  const { isAsked, chapters: found } = await seen(slug)
  expect([isAsked, found[0].loudness]).toEqual([false, expect.any(Number)])
})

test('in step: the office evens the loudness of a title, shows the effect before, and goes back to the originals', async () => {
  const { id, slug } = await aSoundingBook(shop, [{ title: 'One', bytes: mp3({ title: 'Loud' }, STEREO) }], {
    slug: 'evened',
  })
  const sound = async () => (await shop.db.select().from(chapters).where(eq(chapters.bookId, id)))[0]!.soundId
  const original = await sound()
  await analyse(slug)
  await analyseDue({ db: shop.db, media: shop.media, dataDir: shop.config.dataDir, priority: () => 0 })
  const promised = (await seen(slug)).chapters[0].evened
  expect(Math.abs(promised + 18)).toBeLessThanOrEqual(0.8)
  expect((await even(slug, false)).json()).toEqual({ what: '1 chapter evened' })
  const after = await seen(slug)
  expect([after.isEvened, after.chapters[0].evened]).toEqual([true, null])
  expect(after.chapters[0].loudness).toBeCloseTo(promised, 1)
  expect((await even(slug, false)).statusCode).toBe(422)
  expect((await even(slug, true)).json()).toEqual({ what: '1 chapter back to the original' })
  expect(await sound()).toBe(original)
})
