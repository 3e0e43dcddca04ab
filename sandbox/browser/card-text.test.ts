import { expect, test } from 'vitest'
import { readField } from './card-text.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const number = (typed: string) => readField('cardNumber', typed, 'unknown', NOW)
const expiry = (typed: string) => readField('cardExpiry', typed, 'unknown', NOW)
const cvc = (typed: string, brand = 'visa') => readField('cardCvc', typed, brand, NOW)

test.each([
  ['4242424242424242', '4242 4242 4242 4242', 'visa'],
  ['5555 5555-5555 4444 99', '5555 5555 5555 4444', 'mastercard'],
  ['378282246310005', '3782 822463 10005', 'amex'],
])('a complete number is grouped as on the card: %s', (typed, text, brand) => {
  expect(number(typed)).toMatchObject({ text, brand, complete: true, empty: false, error: undefined })
})

test('a number with a wrong digit is invalid, a short one incomplete', () => {
  expect(number('4242424242424241')).toMatchObject({ complete: false, error: { code: 'invalid_number' } })
  expect(number('4242')).toMatchObject({
    complete: false,
    error: undefined,
    unfinished: { code: 'incomplete_number' },
  })
  expect(number('')).toMatchObject({ empty: true, complete: false })
})

test.each([
  ['1', '1'],
  ['2', '02'],
  ['12', '12'],
  ['1229', '12 / 29'],
  ['3 / 29', '03 / 29'],
  ['1/29', '01 / 29'],
  ['12 / 2', '12 / 2'],
])('an expiry date typed as %s shows as %s', (typed, text) => {
  expect(expiry(typed).text).toBe(text)
})

test('a past date or an impossible month is invalid; the current month is valid', () => {
  expect(expiry('1125').error).toMatchObject({ code: 'invalid_expiry_year_past' })
  expect(expiry('1026').error).toMatchObject({ code: 'invalid_expiry_month_past' })
  expect(expiry('1326').error).toMatchObject({ code: 'invalid_expiry_month' })
  expect(expiry('1126')).toMatchObject({ complete: true, error: undefined })
})

test('the security code has as many digits as the card’s brand requires', () => {
  expect(cvc('123')).toMatchObject({ complete: true })
  expect(cvc('123', 'amex')).toMatchObject({ complete: false, unfinished: { code: 'incomplete_cvc' } })
  expect(cvc('12345', 'amex')).toMatchObject({ complete: true, text: '1234' })
})
