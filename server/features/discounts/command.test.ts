import { afterAll, beforeAll, expect, test } from 'vitest'
import { discounts } from '#server/db/schema/discounts.ts'
import { aBuyer, checkOut, fillBag, type PayingShop, payingShop } from '#tests/support/a-purchase.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { typed } from '#tests/support/typed.ts'
import { CODES } from './command.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

const command = (...argv: string[]) => typed(at.shop, CODES, argv)
const WHY = ['--because', 'it leaked', '--yes']

test('codes are listed with their uses, and one that is stopped holds for nobody until it is started again', async () => {
  expect((await command('list')).said).toBe('There are no codes yet.')
  await at.shop.db.insert(discounts).values([
    { code: 'SPRING', type: 'all', percent: 50, uses: 3 },
    { code: 'FIVER', type: 'all', amountMinor: 500, active: false },
  ])
  const use = async () => {
    const buyer = await aBuyer(at.shop)
    const book = await anAudioBook(at.shop, { priceMinor: 1200 })
    return checkOut(buyer, await fillBag(buyer, [{ ...book, kind: 'audio_books' }]), 'SPRING')
  }
  await use()
  expect((await command('list')).said.split('\n')).toEqual([
    'FIVER   £5.00 off  everything  0 used       stopped: its folder was imported without it',
    'SPRING  50% off    everything  1 of 3 used  works',
  ])
  expect((await command('stop', 'spring', ...WHY)).said).toContain('SPRING is stopped.')
  await expect(use()).rejects.toThrow()
  expect((await command('list')).said).toContain('stopped 2026-03-02')
  await expect(command('stop', 'SPRING', ...WHY)).rejects.toThrow('SPRING is stopped already.')
  await command('start', 'SPRING', ...WHY)
  expect((await command('show', 'SPRING')).said).toMatch(
    /started the code again.*\n.*stopped the code, because it leaked/,
  )
  await use()
  await expect(command('stop', 'NONE', ...WHY)).rejects.toThrow('There is no code NONE.')
})
