import { expect, test } from 'vitest'
import { isbnOf } from './isbn.ts'

test('an ISBN is accepted in every notation and stored with 13 digits', () => {
  for (const spelt of [
    '9780306406157',
    '978-0-306-40615-7',
    'ISBN-13: 978 0 306 40615 7',
    '0-306-40615-2',
    '="9780306406157"',
    "'9780306406157",
    '9780306406157.0',
    '978–0–306–40615–7',
  ])
    expect(isbnOf(spelt), spelt).toEqual({ isbn: '9780306406157' })
  expect(isbnOf('080442957X')).toEqual({ isbn: '9780804429573' })
  expect(isbnOf('')).toBeUndefined()
})

test('restores leading zeros that a spreadsheet dropped if the check digit confirms them', () => {
  expect(isbnOf('306406152')).toEqual({ isbn: '9780306406157', note: expect.stringContaining('0306406152') })
  expect(() => isbnOf('306406153')).toThrow('leading zeros')
})

test('trap 34: refuses an ISBN that a spreadsheet shortened or that contains a typo, and says what to do', () => {
  for (const cut of ['9.78E+12', '9,78E+12', '9.78031E+12', '9.78e12'])
    expect(() => isbnOf(cut), cut).toThrow('set the column to “text”')
  expect(() => isbnOf('9780306406158')).toThrow('its last digit should be 7')
  expect(() => isbnOf('9780306400000')).toThrow('rounded')
  expect(() => isbnOf('0306406153')).toThrow('check digit')
  expect(() => isbnOf('5012345678900')).toThrow('begin with 978 or 979')
  expect(() => isbnOf('see below')).toThrow('is not an ISBN')
})
