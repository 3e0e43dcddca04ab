import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { books } from '#server/db/schema/catalogue.ts'
import { bookSeries, seriesNotices } from '#server/db/schema/series.ts'
import { anAudioBook, anEBook, aUser, signedIn } from '#tests/support/builders.ts'
import { aCover, aSeries } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { cleanUp } from '../../jobs/clean-up.ts'
import { sendNextBookEmails } from './next-book-emails.ts'

let shop: TestShop
let seriesId: number
beforeAll(async () => {
  shop = await testShop()
  const first = await anAudioBook(shop, { slug: 'ebb', title: 'Ebb' })
  seriesId = await aSeries(shop, 'Tides', [{ books: [first], number: '1' }])
})
afterAll(() => shop.close())

const post = async (url: string, payload?: object) =>
  (await shop.app.inject({ method: 'POST', url, ...(payload ? { payload } : {}) })).statusCode
const ask = (email: string) => post('/api/series/tides/notices', { email })
const tokenOf = async (email: string) =>
  (await shop.db.select().from(seriesNotices).where(eq(seriesNotices.email, email)))[0]?.token
const mailsTo = async (email: string) => {
  const { rows } = await shop.db.execute<{ kind: string; data: object }>(
    sql`select kind, data from mails where recipient = ${email} order by id`,
  )
  return rows
}

test('listening: a subscriber to a series must confirm, receives one email, and is deleted', async () => {
  const [hana, jory] = ['hana@post.example', 'jory@post.example'] as const
  expect(await ask('Hana@post.example')).toBe(204)
  expect(await ask(hana)).toBe(204)
  expect(await ask(jory)).toBe(204)
  expect(await post('/api/series/nothing/notices', { email: hana })).toBe(404)
  expect(await ask('no address')).toBe(422)
  const token = await tokenOf(hana)
  expect(await mailsTo('Hana@post.example')).toMatchObject([{ kind: 'series_confirm', data: { token } }])
  for (let turn = 0; turn < 2; turn += 1) expect(await post(`/api/series_notices/confirm/${token}`)).toBe(204)

  // Neither the other format of a known title nor an announced title counts as the next one.
  const [ebb] = await shop.db.select().from(books).where(eq(books.slug, 'ebb'))
  const text = await anEBook(shop, { slug: 'ebb', title: 'Ebb', counterpartId: ebb!.id })
  const flood = await anAudioBook(shop, {
    slug: 'flood',
    title: 'Flood',
    deliverable: false,
    coverId: await aCover(shop, 'f100d'),
    preorder: '2027-03-04',
  })
  for (const [bookId, number] of [
    [text.id, '1'],
    [flood.id, '2'],
  ] as const)
    await shop.db.insert(bookSeries).values({ seriesId, bookId, number, position: 0 })
  await sendNextBookEmails(shop)
  expect(await mailsTo(hana)).toEqual([])

  await shop.db.update(books).set({ deliverable: true }).where(eq(books.id, flood.id))
  await sendNextBookEmails(shop)
  await sendNextBookEmails(shop)
  expect(await mailsTo(hana)).toMatchObject([
    {
      kind: 'series_next',
      data: {
        series: 'Tides',
        title: 'Flood',
        number: '2',
        path: '/audiobooks/flood',
        covers: [{ title: 'Flood' }],
      },
    },
  ])
  expect(await tokenOf(hana)).toBeUndefined()
  // Unconfirmed subscribers receive nothing and are deleted after a month.
  expect(await mailsTo(jory)).toMatchObject([{ kind: 'series_confirm' }])
  await shop.db.update(seriesNotices).set({ askedAt: new Date('2020-01-01') })
  await cleanUp(shop)
  expect(await tokenOf(jory)).toBeUndefined()
})

test('listening: one click unsubscribes, also in the mail program; deleting the account does too', async () => {
  for (const how of ['/api/series_notices/end/', '/series/unsubscribe/']) {
    await ask('leaving@post.example')
    const url = `${how}${await tokenOf('leaving@post.example')}`
    expect([await post(url), await post(url)]).toEqual([204, 204])
    expect(await tokenOf('leaving@post.example')).toBeUndefined()
  }
  const user = await aUser(shop, { confirmedAt: shop.now() })
  const headers = { ...(await signedIn(shop, user)) }
  await ask(user.email)
  const own = await shop.app.inject({ url: `/api/users/${user.id}/export`, headers })
  expect(own.json().seriesNotices).toMatchObject([{ slug: 'tides', title: 'Tides', confirmedAt: null }])
  const payload = { password: user.password }
  await shop.app.inject({ method: 'POST', url: `/api/users/${user.id}/delete-account`, headers, payload })
  expect(await tokenOf(user.email.toLowerCase())).toBeUndefined()
})

test('an address receives at most five emails an hour of all kinds that a stranger can request, and the refusal says so', async () => {
  const victim = 'victim@post.example'
  const { series } = await import('#server/db/schema/series.ts')
  await shop.db
    .insert(series)
    .values(Array.from({ length: 8 }, (_, index) => ({ slug: `burst-${index}`, title: `Burst ${index}` })))
  const ask = (url: string, payload: object) => shop.app.inject({ method: 'POST', url, payload })
  const answers = []
  for (let index = 0; index < 8; index++)
    answers.push(await ask(`/api/series/burst-${index}/notices`, { email: victim }))
  answers.push(await ask('/api/newsletters', { email: victim }))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204, 204, 204, 429, 429, 429, 429])
  expect(answers.at(-1)!.json().message).toMatch(/sent several emails to this address already/)
  expect(await mailsTo(victim)).toHaveLength(5)
  // Registering still creates the account; the user can request the email later.
  const person = { firstName: 'Vic', lastName: 'Tim', countryCode: 'GB', password: 'eight-it-is' }
  expect((await ask('/api/users', { ...person, email: victim })).statusCode).toBe(201)
  expect(await mailsTo(victim)).toHaveLength(5)
  shop.clock.advance(3601)
  expect((await ask('/api/newsletters', { email: victim })).statusCode).toBe(201)
  expect(await mailsTo(victim)).toHaveLength(6)
})
