import { afterAll, beforeAll, expect, test } from 'vitest'
import { codesCommand } from '#server/commands/codes.ts'
import { typed } from '#tests/support/run-command.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const make = (...argv: string[]) =>
  typed(shop, codesCommand, ['make', ...argv, '--percent', '15', '--because', 'the fair', '--yes'])

test('the history of a code says how it was made', async () => {
  await make('harbour')
  const { said } = await typed(shop, codesCommand, ['show', 'HARBOUR'])
  expect(said).toContain('a new code: 15% off everything, because the fair')
})

test('a day that the calendar doesn’t have is refused, and so is a day with a time', async () => {
  for (const day of ['2027-02-30', '2027-02-28T12:00'])
    await expect(make('fair', '--until', day)).rejects.toThrow(
      `A day is written like 2026-12-24, not “${day}”.`,
    )
})
