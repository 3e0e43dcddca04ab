import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAddressKnown } from '#contract/account.ts'
import { aUser } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '0' } })
})
afterAll(() => shop.close())

const ask = (email: string, remoteAddress: string) =>
  shop.app.inject({ method: 'POST', url: '/api/users/known', payload: { email }, remoteAddress })
const register = (email: string, remoteAddress: string) =>
  shop.app.inject({
    method: 'POST',
    url: '/api/users',
    payload: { email, password: 'eight-it-is', firstName: 'Una', lastName: 'Reed', countryCode: 'GB' },
    remoteAddress,
  })

test('the form reports that an address has an account before the rest is filled in', async () => {
  const { email } = await aUser(shop)
  const known = await ask(email.toUpperCase(), '198.51.100.1')
  expect(misfits(isAddressKnown.reply, known.json())).toEqual([])
  expect(known.json()).toEqual({ known: true })
  expect((await ask('nobody@murmur.example', '198.51.100.1')).json()).toEqual({ known: false })
})

test('a check counts towards the limit of registrations and leaves part of it for registering', async () => {
  const statuses: number[] = []
  for (let guess = 0; guess < 6; guess++)
    statuses.push((await ask(`guess-${guess}@murmur.example`, '198.51.100.2')).statusCode)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  for (let visitor = 0; visitor < 4; visitor++)
    expect((await register(`joins-${visitor}@murmur.example`, '198.51.100.2')).statusCode).toBe(201)
  expect((await register('joins-late@murmur.example', '198.51.100.2')).statusCode).toBe(429)
})
