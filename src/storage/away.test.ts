import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { countAway, noteContact } from './away.ts'
import { removeValue } from './values.ts'

const DAY = 24 * 3600_000
const at = (day: number, page = 'one', pageMs = 0) => ({ wallMs: (1_000 + day) * DAY, page, pageMs })
const days = async (...when: Parameters<typeof at>) => (await countAway(at(...when))) / DAY

beforeEach(() => removeValue('away'))

test('days without the server add up across starts, and contact resets them', async () => {
  expect(await days(0)).toBe(0)
  expect(await days(10, 'two')).toBe(10)
  expect(await days(31, 'three')).toBe(31)
  await noteContact(at(31))
  expect(await days(33, 'four')).toBe(2)
})

test('setting the clock back, even daily, subtracts nothing and doesn’t stop the count', async () => {
  await noteContact(at(0))
  expect(await days(20)).toBe(20)
  expect(await days(1, 'two')).toBe(20)
  expect(await days(3, 'two', 2 * DAY)).toBe(22)
  expect(await days(3, 'two', 5 * DAY)).toBe(25)
})

test('a clock jump of years is treated as a wrong clock and not counted', async () => {
  await noteContact(at(0))
  expect(await days(-9_000, 'two')).toBe(0)
  expect(await days(1, 'three')).toBe(0)
  expect(await days(5, 'four')).toBe(4)
  expect(await days(5 + 366, 'five')).toBe(4)
})
