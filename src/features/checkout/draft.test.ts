// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followUserScopes } from '#session/user-scope.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { forgetDraft, recallDraft, useCheckoutDraft, writeDraft } from './store.ts'

const una = {
  email: 'una@harbour.example',
  firstName: 'Una',
  lastName: 'Reed',
  cardholder: 'Una Reed',
  countryCode: 'GB',
  method: 'paypal',
  agreedTo: 'I want my books at once.',
  withAccount: false,
  saveCard: true,
} as const
const NOTHING = {
  email: '',
  firstName: '',
  lastName: '',
  cardholder: '',
  countryCode: '',
  method: 'card',
  agreedTo: '',
  withAccount: true,
  saveCard: false,
} as const
const person = (uuid: string) => ({ uuid, firstName: 'Una', fullName: 'Una Reed' })

let stop: () => void
beforeEach(() => {
  becomeVisitor()
  forgetDraft()
  stop = followUserScopes()
})
afterEach(() => stop())
const reload = () => {
  useCheckoutDraft.setState(NOTHING)
  recallDraft()
}

test('the checkout draft survives a reload and a refusal by PayPal, but never includes the password', () => {
  writeDraft(una)
  reload()
  expect(useCheckoutDraft.getState()).toEqual(una)
  expect(sessionStorage.getItem('tillDraft')).not.toContain('password')
})

test('the draft survives registration during the checkout, and is cleared for the next user', () => {
  writeDraft(una)
  becomeUser(person('u1'), null)
  expect(useCheckoutDraft.getState()).toEqual(una)
  writeDraft(una)
  becomeUser(person('u2'), null)
  expect(useCheckoutDraft.getState()).toEqual(NOTHING)
  reload()
  expect(useCheckoutDraft.getState()).toEqual(NOTHING)
})

test('the draft is cleared after payment', () => {
  writeDraft(una)
  forgetDraft()
  reload()
  expect(useCheckoutDraft.getState()).toEqual(NOTHING)
})
