import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editorialItems, eventSeats } from '#server/db/schema/editorial.ts'
import { aUser, signedIn, type TestUser } from '#tests/support/builders.ts'
import { aMember, anItem } from '#tests/support/editorial-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { cleanUp } from '../../jobs/clean-up.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const inHours = (hours: number) => new Date(shop.now().getTime() + hours * 3_600_000)
const anEvent = (slug: string, more: object = {}) =>
  anItem(shop, {
    kind: 'discussion',
    slug,
    title: `On ${slug}`,
    startsAt: new Date('2030-11-24T17:00:00Z'),
    endsAt: new Date('2030-11-24T18:30:00Z'),
    place: 'The swing bridge, Whitby',
    seats: 2,
    ...more,
  })
const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, by?: TestUser, payload?: object) => {
  const headers = by ? { ...(await signedIn(shop, by)) } : {}
  const answer = await shop.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  const { left, kept } = answer.body ? answer.json() : { left: undefined, kept: undefined }
  return { status: answer.statusCode, left, kept }
}
const seat = (slug: string) => `/api/discussions/${slug}/seat`
const guest = (slug: string, email: string, name = 'Una Reed') =>
  ask('POST', `/api/discussions/${slug}/seats`, undefined, { email, name })
const tokenOf = async (email: string) =>
  (await shop.db.select().from(eventSeats).where(eq(eventSeats.email, email)))[0]!.token
const mailsTo = async (email: string) => {
  const { rows } = await shop.db.execute<{ kind: string; data: object }>(
    sql`select kind, data from mails where recipient = ${email} order by queued_at, id`,
  )
  return rows
}

test('EDIT-11: a listener keeps a seat once, gets one email with the date, and gives the seat back', async () => {
  await anEvent('walk')
  const una = await aUser(shop, { confirmedAt: shop.now() })
  expect(await ask('GET', '/api/discussions/walk/seats')).toEqual({ status: 200, left: 2, kept: false })
  for (let turn = 0; turn < 2; turn += 1)
    expect(await ask('POST', seat('walk'), una)).toEqual({ status: 200, left: 1, kept: true })
  const mails = await mailsTo(una.email)
  expect(mails).toMatchObject([
    { kind: 'seat_kept', data: { title: 'On walk', when: 'Sunday 24 November 2030, 17:00 to 18:30' } },
  ])
  const own = await shop.app.inject({ url: '/api/seats', headers: { ...(await signedIn(shop, una)) } })
  expect(own.json()['hydra:member']).toMatchObject([{ slug: 'walk', startsAt: '2030-11-24T17:00:00Z' }])
  expect(await ask('DELETE', seat('walk'), una)).toEqual({ status: 200, left: 2, kept: false })
  expect(await ask('DELETE', seat('walk'), una)).toEqual({ status: 200, left: 2, kept: false })
})

test('EDIT-11: the last seat goes to one of many who press at the same time', async () => {
  await anEvent('rush', { seats: 1 })
  const people = await Promise.all(Array.from({ length: 6 }, () => aUser(shop)))
  const answers = await Promise.all(people.map((person) => ask('POST', seat('rush'), person)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
  expect(await ask('GET', '/api/discussions/rush/seats')).toEqual({ status: 200, left: 0, kept: false })
  expect((await guest('rush', 'late@post.example')).status).toBe(422)
  expect(await mailsTo('late@post.example')).toEqual([])
})

test('EDIT-12: a guest’s seat takes a place when the link is used, not before, and the link gives it back', async () => {
  await anEvent('loft')
  const [ida, jon, late] = ['ida@post.example', 'jon@post.example', 'late-too@post.example'] as const
  for (const email of [ida, jon, late]) expect((await guest('loft', email)).status).toBe(204)
  expect((await guest('loft', ida, 'Somebody Else')).status).toBe(204)
  expect((await ask('GET', '/api/discussions/loft/seats')).left).toBe(2)
  expect(await mailsTo(ida)).toMatchObject([{ kind: 'seat_confirm', data: { token: await tokenOf(ida) } }])
  const confirm = async (email: string) => ask('POST', `/api/seats/confirm/${await tokenOf(email)}`)
  expect(await confirm(ida)).toEqual({ status: 200, left: 1, kept: true })
  expect(await confirm(ida)).toEqual({ status: 200, left: 1, kept: true })
  expect(await confirm(jon)).toEqual({ status: 200, left: 0, kept: true })
  expect(await confirm(late)).toEqual({ status: 200, left: 0, kept: false })
  expect((await mailsTo(ida)).map(({ kind }) => kind)).toEqual(['seat_confirm', 'seat_kept'])
  const back = `/api/seats/give-back/${await tokenOf(ida)}`
  expect([(await ask('POST', back)).status, (await ask('POST', back)).status]).toEqual([204, 204])
  expect(await confirm(late)).toEqual({ status: 200, left: 0, kept: true })
  expect((await ask('POST', `/api/seats/confirm/${crypto.randomUUID()}`)).status).toBe(404)
})

test('EDIT-12: an account takes over the seat that its confirmed address asked for as a guest', async () => {
  await anEvent('twice')
  const una = await aUser(shop, { confirmedAt: shop.now() })
  const other = await aUser(shop)
  for (const { email } of [una, other]) await guest('twice', email)
  await ask('POST', `/api/seats/confirm/${await tokenOf(una.email)}`)
  expect(await ask('GET', '/api/discussions/twice/seats', una)).toEqual({ status: 200, left: 1, kept: true })
  expect(await ask('POST', seat('twice'), una)).toEqual({ status: 200, left: 1, kept: true })
  // The account has not confirmed this address, so another person may have created it.
  await ask('POST', `/api/seats/confirm/${await tokenOf(other.email)}`)
  expect((await ask('GET', '/api/discussions/twice/seats', other)).kept).toBe(false)
})

test('EDIT-09 EDIT-11: seats of a members’ event are for plans that include it', async () => {
  await anEvent('members', { memberOnly: true, minimumTier: 'reader' })
  const [supporter, reader, nobody] = [await aMember(shop, 6), await aMember(shop, 4), await aUser(shop)]
  for (const person of [supporter, nobody])
    expect((await ask('POST', seat('members'), person)).status).toBe(403)
  expect((await guest('members', 'guest@post.example')).status).toBe(403)
  expect(await ask('POST', seat('members'), reader)).toEqual({ status: 200, left: 1, kept: true })
})

test('an event without seats, without a day, hidden or over keeps none', async () => {
  await anEvent('none', { seats: null })
  await anEvent('dayless', { startsAt: null, endsAt: null })
  await anEvent('hidden', { published: false })
  await anEvent('over', { startsAt: inHours(-2), endsAt: inHours(-1) })
  await anEvent('running', { startsAt: inHours(-2), endsAt: null })
  const una = await aUser(shop)
  const statuses = await Promise.all(
    ['none', 'dayless', 'hidden', 'over', 'running'].map(
      async (slug) => (await ask('POST', seat(slug), una)).status,
    ),
  )
  expect(statuses).toEqual([404, 404, 404, 422, 200])
})

test('strangers can send only a few emails, and an account keeps a limited number of seats an hour', async () => {
  for (let number = 0; number < 7; number += 1) await anEvent(`burst-${number}`)
  const answers = []
  for (let number = 0; number < 7; number += 1)
    answers.push((await guest(`burst-${number}`, 'victim@post.example')).status)
  expect(answers).toEqual([204, 204, 204, 204, 204, 429, 429])
  const una = await aUser(shop, { confirmedAt: shop.now() })
  const kept = []
  for (let turn = 0; turn < 21; turn += 1) {
    kept.push((await ask('POST', seat('burst-0'), una)).status)
    await ask('DELETE', seat('burst-0'), una)
  }
  expect(kept).toEqual([...Array.from({ length: 20 }, () => 200), 429])
})

test('EDIT-13: an event’s calendar file names day, hour and place, and a day without an hour is a whole day', async () => {
  await anEvent('calendar')
  await anEvent('whole-day', { startsAt: new Date('2030-11-25T00:00:00Z'), endsAt: null })
  const file = async (slug: string) => shop.app.inject(`/feeds/events/${slug}.ics`)
  const { headers, body } = await file('calendar')
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
  expect(body).toContain('DTSTART:20301124T170000Z')
  expect(body).toContain('DTEND:20301124T183000Z')
  expect(body).toContain('SUMMARY:On calendar')
  expect(body).toContain('LOCATION:The swing bridge\\, Whitby')
  expect((await file('whole-day')).body).toContain('DTSTART;VALUE=DATE:20301125')
  for (const slug of ['hidden', 'dayless', 'nothing']) expect((await file(slug)).statusCode).toBe(404)
})

test('an export has one’s seats, deleting the account frees them, and old ones are deleted', async () => {
  await anEvent('own', { seats: 5 })
  const una = await aUser(shop, { confirmedAt: shop.now() })
  const headers = { ...(await signedIn(shop, una)) }
  await ask('POST', seat('own'), una)
  const { seats } = (await shop.app.inject({ url: `/api/users/${una.id}/export`, headers })).json()
  expect(seats).toMatchObject([{ slug: 'own', title: 'On own' }])
  const payload = { password: una.password }
  await shop.app.inject({ method: 'POST', url: `/api/users/${una.id}/delete-account`, headers, payload })
  expect((await ask('GET', '/api/discussions/own/seats')).left).toBe(5)

  await guest('own', 'waiting@post.example')
  await ask('POST', seat('own'), await aUser(shop))
  await shop.db.update(eventSeats).set({ askedAt: inHours(-24 * 40) })
  await cleanUp(shop)
  const left = async () => (await shop.db.select().from(eventSeats)).filter(({ confirmedAt }) => !confirmedAt)
  expect(await left()).toEqual([])
  await shop.db.update(editorialItems).set({ startsAt: inHours(-24 * 40) })
  await cleanUp(shop)
  expect(await shop.db.select().from(eventSeats)).toEqual([])
})
