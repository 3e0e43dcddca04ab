import { expect, test } from 'vitest'
import { paidWords } from './model.ts'

test.each([
  [{ type: 'card', last4: '4242' }, 'Card ending 4242'],
  [{ type: 'card', last4: null }, 'Card'],
  [{ type: 'card', last4: '4242', wallet: 'google_pay' }, 'Google Pay, card ending 4242'],
  [{ type: 'card', last4: null, wallet: 'link' }, 'Link, card'],
  [{ type: 'paypal', last4: null }, 'PayPal'],
  [{ type: 'free', last4: null }, 'Nothing to pay'],
] as const)('paying: %o is named %s', (transaction, words) => {
  expect(paidWords({ transactions: [{ id: 'pi_1', ...transaction }] })).toBe(words)
})
