import { afterAll, beforeAll, expect, test } from 'vitest'
import { discounts } from '#server/db/schema/discounts.ts'
import { aBuyer, checkOut, fillBag, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { typed } from '#tests/support/run-command.ts'
import { codesCommand } from './codes.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

const command = (...argv: string[]) => typed(at.shop, codesCommand, argv)
const WHY = ['--because', 'it leaked', '--yes']

test('codes are listed with their uses, and a stopped code is invalid until it is started again', async () => {
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
test('the command validates a code before creating it, and can create many at once', async () => {
  await anAudioBook(at.shop, { slug: 'low-water' })
  const why = ['--because', 'the fair', '--yes']
  const dry = await command(
    'make',
    'fair20',
    '--percent',
    '20',
    '--until',
    '2027-12-24',
    '--uses',
    '100',
    '--dry-run',
  )
  expect(dry.said).toContain('FAIR20 takes 20% off everything, 100 times in all, until its last day is over.')
  const until = ['--until', '2027-05-31']
  expect((await command('make', 'fair20', '--percent', '20', ...until, ...why)).said).toContain('FAIR20')
  // 31 May ends in London at 23:00 UTC.
  expect((await command('show', 'FAIR20')).said).toContain('until 2027-05-31')
  const quarter = ['--for', 'monthly', '--percent', '25', '--months', '3']
  expect((await command('make', 'QUARTER', ...quarter, '--dry-run')).said).toContain(
    'takes 25% off monthly memberships, for 3 months.',
  )
  expect((await command('make', 'FIVER', '--amount', '5', '--dry-run')).said).toContain('takes £5.00 off')
  await expect(command('make', 'FAIR20', '--percent', '10', ...why)).rejects.toThrow(
    'There is a code FAIR20 already.',
  )
  expect((await command('show', 'FAIR20')).said).toContain('20% off  everything')
  const { said } = await command(
    'make',
    '--count',
    '3',
    '--prefix',
    'PRESS-',
    '--percent',
    '100',
    '--title',
    'low-water',
    ...why,
  )
  const made = said.split('\n').filter((line) => /^PRESS-[A-Z0-9]{8}$/.test(line))
  expect(new Set(made).size).toBe(3)
  expect((await command('show', made[0]!)).said).toMatch(/100% off +its titles +0 of 1 used/)
  await expect(command('make', 'X', '--amount', '5', '--percent', '5', ...why)).rejects.toThrow(
    'either “percent” or “amount”',
  )
  await expect(command('make', 'X', '--percent', '5', '--for', 'books', ...why)).rejects.toThrow(
    'Allowed choices are cheapest_book, all',
  )
  await expect(command('make', 'X', '--percent', '5', '--until', 'May', ...why)).rejects.toThrow(
    'A day is written like 2026-12-24',
  )
  await expect(command('make', 'X', '--percent', '5', '--title', 'none', ...why)).rejects.toThrow(
    'There is no title none.',
  )
})
