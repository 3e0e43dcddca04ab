import { expect, test } from 'vitest'
import { problemsOf, type PaymentDetails } from './validation.ts'

const whole: PaymentDetails = {
  email: 'nell@murmur.example',
  firstName: 'Nell',
  lastName: 'Hart',
  password: 'shelf-by-the-door',
  countryCode: 'GB',
  cardholder: 'Nell Hart',
  waiver: true,
  withAccount: true,
  saveCard: false,
}
const visitor = { person: true, card: true, waiver: true }
const problems = (change: Partial<PaymentDetails>, needed = visitor) =>
  problemsOf({ ...whole, ...change }, needed)

test('a complete form has no problems', () => {
  expect(problems({})).toEqual({})
})

test('PAY-13: an address without the standard pattern is an invalid email', () => {
  for (const email of ['', 'nell', 'nell@murmur', 'nell @murmur.example', '@murmur.example'])
    expect(problems({ email })).toEqual({ email: 'Invalid email' })
  expect(problems({ email: ' nell@murmur.example ' })).toEqual({})
})

test('PAY-14: first name, last name and cardholder name must be longer than one character', () => {
  for (const field of ['firstName', 'lastName', 'cardholder'] as const) {
    expect(Object.keys(problems({ [field]: 'N' }))).toEqual([field])
    expect(Object.keys(problems({ [field]: ' N ' }))).toEqual([field])
    expect(problems({ [field]: 'Bo' })).toEqual({})
  }
})

test('PAY-15: a password below 8 characters says how long it must be', () => {
  expect(problems({ password: '1234567' })).toEqual({
    password: 'Password must be at least 8 characters long',
  })
  expect(problems({ password: '12345678' })).toEqual({})
  // Counts characters, not UTF-16 units.
  expect(problems({ password: '🦉🦉🦉🦉' })).toHaveProperty('password')
  expect(problems({ password: 'x'.repeat(61) })).toHaveProperty('password')
})

test('PAY-16: a country is required', () => {
  expect(Object.keys(problems({ countryCode: '' }))).toEqual(['countryCode'])
})

test('validates only the fields that this buyer needs: no account, card or waiver otherwise', () => {
  const nothing = { ...whole, email: '', firstName: '', lastName: '', password: '', countryCode: '' }
  expect(problemsOf(nothing, { person: false, card: true, waiver: true })).toEqual({})
  expect(Object.keys(problemsOf({ ...nothing, waiver: false, cardholder: '' }, visitor))).toHaveLength(7)
  const free = { person: false, card: false, waiver: false }
  expect(problemsOf({ ...nothing, cardholder: '', waiver: false }, free)).toEqual({})
})
