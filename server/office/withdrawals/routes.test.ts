import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Today } from '#contract/office/today.ts'
import { carryOutStatements } from '#server/features/withdrawals/carry-out-statements.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff } from '#tests/support/staff.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('OFFICE-83: support reads a withdrawal that the shop could not carry out, settles it once, with a reason, and takes that back', async () => {
  const wilf = await signedInStaff(shop, 'support', { name: 'Wilf Garrity' })
  const payload = {
    name: 'Una Reed',
    email: 'una@withdraw.example',
    contract: 'M-999999',
    scope: 'the last one',
  }
  await shop.app.inject({ method: 'POST', url: '/api/withdrawals', payload })
  await carryOutStatements(shop)
  const todo = async () => {
    const today: Today = (await wilf.ask('GET', '/api/office/today')).json()
    return today.todo.find(({ kind }) => kind === 'withdrawal')
  }
  const target = (await todo())?.act?.target
  expect(target).toMatch(/^\/today\/withdrawals\/[\w-]{36}$/)
  const address = `/api/office/withdrawals/${target!.split('/').at(-1)}`
  expect((await wilf.ask('GET', address)).json()).toMatchObject({
    ...payload,
    isChecked: true,
    settledAt: null,
    problem: expect.any(String),
    orders: [],
  })
  const settle = (because: string) => wilf.ask('POST', `${address}/settle`, { because })
  expect((await settle(' ')).statusCode).toBe(422)
  expect((await settle('Wrote to her')).statusCode).toBe(200)
  expect((await settle('Again')).statusCode).toBe(422)
  expect(await todo()).toBeUndefined()
  const owner = await signedInStaff(shop, 'owner')
  const [entry] = (await owner.ask('GET', '/api/office/activity?limit=1')).json().rows
  expect(entry).toMatchObject({ by: 'Wilf Garrity', kind: 'withdrawals settle', because: 'Wrote to her' })
  expect((await wilf.ask('GET', `/api/office/withdrawals/${randomUUID()}`)).statusCode).toBe(404)

  const undo = () => wilf.ask('POST', `/api/office/activity/${entry.id}/undo`)
  expect((await undo()).statusCode).toBe(200)
  expect((await wilf.ask('GET', address)).json()).toMatchObject({ settledAt: null, isChecked: true })
  expect((await todo())?.act?.target).toBe(target)
  expect((await undo()).statusCode).toBe(422)
  expect((await settle('Refunded')).statusCode).toBe(200)
  expect((await undo()).statusCode).toBe(422)
  expect(await todo()).toBeUndefined()
})
