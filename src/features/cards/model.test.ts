import { expect, test } from 'vitest'
import type { RefusalReason } from '#contract/problem.ts'
import { NetProblem } from '#net/problem.ts'
import {
  addressOf,
  codeInHash,
  otherSpelling,
  placeOf,
  refusedAs,
  tryAgainWords,
  typedCode,
} from './model.ts'

test('NAV-41 NAV-42: each step has its address in both wizards, and the generic steps win over a title’s number', () => {
  const generic = ['confirmation', 'login', 'sign-up', 'welcome', 'error'] as const
  expect(placeOf(undefined, undefined)).toEqual({ step: 'enter', spiSIN: null })
  for (const step of generic) expect(placeOf(step, undefined)).toEqual({ step, spiSIN: null })
  const spiSIN = '9001000000017'
  expect(placeOf(spiSIN, undefined)).toEqual({ step: 'enter', spiSIN })
  for (const step of ['confirmation', 'login', 'welcome', 'error'] as const)
    expect(placeOf(spiSIN, step)).toEqual({ step, spiSIN })
  expect(placeOf(spiSIN, 'signup')).toEqual({ step: 'sign-up', spiSIN })
  for (const [first, second] of [
    [spiSIN, 'enter'],
    [spiSIN, 'toString'],
    ['login', 'error'],
    ['not/a number', undefined],
  ])
    expect([placeOf(first, second), otherSpelling(first, second)]).toEqual([undefined, undefined])
})

test('NAV-41 NAV-42: either spelling of sign-up leads to the one of its wizard', () => {
  const spiSIN = '9001000000017'
  for (const [first, second, is] of [
    ['signup', undefined, { step: 'sign-up', spiSIN: null }],
    [spiSIN, 'sign-up', { step: 'sign-up', spiSIN }],
  ] as const) {
    expect(placeOf(first, second)).toBeUndefined()
    expect(otherSpelling(first, second)).toEqual(is)
  }
  expect(otherSpelling(spiSIN, 'signup')).toBeUndefined()
  expect(otherSpelling('signup', 'sign-up')).toBeUndefined()
})

test('NAV-42: a place leads back to the address that it was read from', () => {
  for (const [first, second] of [
    [undefined, undefined],
    ['sign-up', undefined],
    ['welcome', undefined],
    ['9001000000017', undefined],
    ['9001000000017', 'signup'],
    ['9001000000017', 'error'],
  ]) {
    const { params } = addressOf(placeOf(first, second)!)
    expect([params.spisin, params.step]).toEqual([first, second])
  }
})

const refused = (status: number, reason?: RefusalReason) =>
  new NetProblem('refused', status, reason ? { reason } : {})

test('ERR-21: an unknown code and an unsold card are not recognised', () => {
  expect(refusedAs(refused(404))).toBe('unrecognised')
  expect(refusedAs(refused(422, 'card_not_activated'))).toBe('unrecognised')
})

test('ERR-22: any other answer says that it was redeemed, but for 429, 5xx and silence, which keep the form', () => {
  for (const each of [refused(422, 'already_redeemed'), refused(422), refused(403), refused(409)])
    expect(refusedAs(each)).toBe('redeemed')
  for (const each of [
    refused(429),
    new NetProblem('server', 500),
    new NetProblem('offline', 0),
    new Error('?'),
  ])
    expect(refusedAs(each)).toBeUndefined()
  const tooMany = new NetProblem('refused', 429, { message: 'Please wait a minute.' })
  expect(tryAgainWords(tooMany)).toBe('Please wait a minute.')
  expect(tryAgainWords(new NetProblem('server', 503))).toBe('Something went wrong, please try again')
})

test('a session that ended has used nothing: the code waits for another log-in', () => {
  expect(refusedAs(refused(401))).toBeUndefined()
})

test('RDM-02: spaces around a code are not sent', () => {
  expect(typedCode('  redeem-2345-6789\n')).toBe('redeem-2345-6789')
  expect(typedCode(' \t ')).toBe('')
})

test('a QR code’s address carries the code behind the hash; what is no code is left alone', () => {
  for (const hash of [
    '#REDEEM-2345-6789',
    'REDEEM-2345-6789',
    '#code=REDEEM-2345-6789',
    '#REDEEM%2D2345%2D6789',
  ])
    expect(codeInHash(hash)).toBe('REDEEM-2345-6789')
  for (const hash of ['', '#', '#main?', '#%E0%A4%A', '#<b>', `#${'A'.repeat(80)}`])
    expect(codeInHash(hash)).toBe('')
})
