import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { getPerson } from '#contract/people.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { aPerson, linked } from '#tests/support/catalogue-builders.ts'
import { testShop } from '#tests/support/shop.ts'

test('listening: authors and narrators have a page with the number of their titles', async () => {
  const shop = await testShop()
  await linked(shop, await anAudioBook(shop), {
    authors: [await aPerson(shop, 'Ida', 'Frost')],
    narrators: [await aPerson(shop, 'Della', 'Voss')],
  })
  const get = async (url: string) => (await shop.app.inject(url)).json()
  const author = await get('/api/people/ida-frost')
  expect(misfits(getPerson.reply, author)).toEqual([])
  expect(author).toMatchObject({
    fullName: 'Ida Frost',
    writtenAudioBooks: 1,
    writtenEBooks: 0,
    readAudioBooks: 0,
  })
  expect(author.about).toBeNull()
  await shop.db.execute(sql`update people set about = 'She walks first.' where first_name = 'Della'`)
  expect(await get('/api/people/della-voss')).toMatchObject({
    writtenAudioBooks: 0,
    readAudioBooks: 1,
    about: 'She walks first.',
  })
  const found = async (query: string) => (await get(`/api/audio_books?${query}`))['hydra:totalItems']
  expect(await Promise.all([found(`authors[]=${author.id}`), found(`narrators[]=${author.id}`)])).toEqual([
    1, 0,
  ])
  // Lists by person say what each title is about, other lists don't.
  await shop.db.execute(
    sql`update books set summary = '<p>She weighs salt &amp; tides twice. Nobody asks.</p>'`,
  )
  const aboutIn = async (query: string) =>
    (await get(`/api/audio_books?${query}`))['hydra:member'].map(({ about }: { about?: string }) => about)
  expect(await aboutIn(`authors[]=${author.id}`)).toEqual(['She weighs salt & tides twice.'])
  expect(await aboutIn('')).toEqual([undefined])
  // A retired title still leads to its author; a person without titles has no page.
  const gone = await anAudioBook(shop, { state: 'retired' })
  await linked(shop, gone, { authors: [await aPerson(shop, 'Edda', 'Marlow')] })
  expect(await get('/api/people/edda-marlow')).toMatchObject({ writtenAudioBooks: 0, readAudioBooks: 0 })
  await aPerson(shop, 'Nobody', 'Yet')
  for (const slug of ['nobody-yet', 'unknown'])
    expect((await shop.app.inject(`/api/people/${slug}`)).statusCode).toBe(404)
  await shop.close()
})
