import { expect, test } from 'vitest'
import type { RefusalReason } from '#contract/problem.ts'
import { NetProblem } from '#net/problem.ts'
import {
  canActivate,
  isBuyerEmail,
  refusalOf,
  refusalText,
  secondsToTakeBack,
  soldToday,
} from './activation.ts'

test('RESL-08: the buyer’s address is looked at when it is wanted or typed; the code must be there, without its spaces', () => {
  expect(isBuyerEmail('', false)).toBe(true)
  expect(isBuyerEmail('  ', false)).toBe(true)
  expect(isBuyerEmail('', true)).toBe(false)
  for (const required of [true, false]) {
    expect(isBuyerEmail(' una@murmur.example ', required)).toBe(true)
    for (const wrong of ['una', 'una@murmur', 'u na@murmur.example'])
      expect(isBuyerEmail(wrong, required)).toBe(false)
  }
  expect(canActivate({ code: ' 482100577731 ', email: '', emailRequired: false })).toBe(true)
  expect(canActivate({ code: '   ', email: '', emailRequired: false })).toBe(false)
})

test('ERR-19: a refusal is the answer’s description, its message or its status, in small letters without underscores', () => {
  const said = (body: object, status = 422) => refusalText(new NetProblem('refused', status, body))
  expect(said({ description: 'card_already_activated', message: 'Other' })).toBe('card already activated')
  expect(said({ 'hydra:description': 'Card_Not_Known' })).toBe('card not known')
  expect(said({ message: 'Card_Is_Void' })).toBe('card is void')
  expect(said({}, 404)).toBe('not found')
  expect(said({}, 429)).toBe('too many requests')
  expect(refusalText(new NetProblem('server', 503))).toBe('internal server error')
})

test('a refusal means already sold, unknown, another bookshop’s, or try again', () => {
  const kind = (problem: unknown) => refusalOf(problem, '4821').kind
  const refused = (status: number, reason?: RefusalReason) =>
    new NetProblem('refused', status, reason ? { reason } : {})
  expect(kind(refused(422, 'card_already_activated'))).toBe('already')
  expect(kind(refused(422, 'card_of_another_bookshop'))).toBe('elsewhere')
  expect(kind(refused(404))).toBe('unknown')
  expect(kind(refused(429))).toBe('refused')
  expect(kind(new NetProblem('offline', 0))).toBe('offline')
})

test('a sale can be taken back for ten minutes by the server’s clock', () => {
  const takeBackUntil = '2026-11-21T14:16:00.000Z'
  const at = (iso: string) => secondsToTakeBack({ takeBackUntil }, Date.parse(iso))
  expect(at('2026-11-21T14:06:19.000Z')).toBe(581)
  expect(at('2026-11-21T14:15:59.100Z')).toBe(1)
  expect(at('2026-11-21T14:16:00.000Z')).toBeNull()
  expect(at('2026-11-20T14:16:00.000Z')).toBe(600)
  expect(secondsToTakeBack({ takeBackUntil: null }, 0)).toBeNull()
})

test('today’s sum leaves out what was taken back, to the penny', () => {
  expect(
    soldToday([
      { activated: true, price: 9.99 },
      { activated: false, price: 12 },
      { activated: true, price: 14.01 },
    ]),
  ).toEqual({ cards: 2, minor: 2400 })
})
