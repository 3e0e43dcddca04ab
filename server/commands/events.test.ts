import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, signedIn } from '#tests/support/builders.ts'
import { anItem } from '#tests/support/editorial-builders.ts'
import { typed } from '#tests/support/run-command.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { eventsCommand } from './events.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const events = (line: string) => typed(shop, eventsCommand, line.split(' '))

test('an owner lists the events with seats, sees who comes, and exports the list for the door', async () => {
  expect((await events('list')).said).toBe('No event has seats yet.')
  const event = { kind: 'discussion', startsAt: new Date('2030-11-24T17:00:00Z'), seats: 19 } as const
  await anItem(shop, { ...event, slug: 'walk', title: 'The walk' })
  await anItem(shop, { ...event, slug: 'seatless', seats: null })
  const una = await aUser(shop, { firstName: 'Una', lastName: 'Reed', email: 'una@post.example' })
  const headers = { ...(await signedIn(shop, una)) }
  await shop.app.inject({ method: 'POST', url: '/api/discussions/walk/seat', headers })
  const guest = { email: 'jon@post.example', name: '=Jon' }
  await shop.app.inject({ method: 'POST', url: '/api/discussions/walk/seats', payload: guest })
  expect((await events('list')).said).toMatch(/^walk +Sunday 24 November 2030, 17:00 +1 +19$/m)
  expect((await events('list')).said).not.toContain('seatless')
  const { said } = await events('seats walk')
  expect(said).toMatch(/^The walk, Sunday 24 November 2030, 17:00: 1 of 19 seats\n/)
  expect(said).toMatch(/^Una Reed +una@post\.example/m)
  // An unconfirmed guest keeps no seat.
  expect(said).not.toContain('jon@post.example')
  expect((await events('export walk')).said).toBe('\ufeffname,email\nUna Reed,una@post.example')
  await expect(events('seats seatless')).rejects.toThrow('npm run events -- list')
})
