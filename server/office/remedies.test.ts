import { expect, test } from 'vitest'
import { remedyFor } from './remedies.ts'

const about = { subject: null, userId: null, what: 'Something is wrong.' }

test('OFFICE-66: a problem leads to its order, else to its person, else does what solves it, for roles that may', () => {
  const order = { ...about, kind: 'withdrawal', userId: 'u1', what: 'Order M-100012 could not be compared.' }
  expect(remedyFor('support', order)).toMatchObject({ kind: 'open', target: '/orders/M-100012' })
  const statement = { ...order, subject: 's1' }
  expect(remedyFor('support', statement)).toMatchObject({ target: '/today/withdrawals/s1' })
  expect(remedyFor('bookkeeper', statement)).toBeNull()
  const person = { ...about, kind: 'membership', subject: 's1', userId: 'u1' }
  expect(remedyFor('support', person)).toMatchObject({ target: '/people/u1', label: 'Open the person' })
  expect(remedyFor('bookkeeper', person)).toBeNull()
  const job = { ...about, kind: 'job', subject: 'mail' }
  expect(remedyFor('owner', job)).toMatchObject({ kind: 'run-job', target: 'mail' })
  expect(remedyFor('support', job)).toBeNull()
  // The queue as a whole, and one email that was given up.
  expect(remedyFor('owner', { ...about, kind: 'mail' })).toMatchObject({ kind: 'open', target: '/emails' })
  const email = { ...about, kind: 'mail', subject: 'm1' }
  expect(remedyFor('support', email)).toMatchObject({ kind: 'send-email', target: 'm1' })
  const audit = { ...about, kind: 'audit', subject: 'credit:1' }
  expect(remedyFor('owner', audit)).toMatchObject({ kind: 'run-job', target: 'audit', label: 'Check again' })
  expect(remedyFor('owner', { ...audit, userId: 'u1' })).toMatchObject({ target: '/people/u1' })
  const bookshop = { ...about, kind: 'statement', subject: 'rope-loft' }
  expect(remedyFor('owner', bookshop)).toMatchObject({ target: '/cards/bookshops/rope-loft' })
  for (const kind of ['keys', 'memory'])
    expect(remedyFor('owner', { ...about, kind })).toMatchObject({ target: '/settings#server' })
  expect(remedyFor('owner', { ...about, kind: 'disk' })).toBeNull()
})
