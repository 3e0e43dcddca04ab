import { expect, test } from 'vitest'
import type { Access } from '#contract/endpoint.ts'
import { Refusal, type RefusalKind } from '../http/http-errors.ts'
import { refuseOthers } from './access.ts'

const known = { userId: 'u', sessionId: 's', countryCode: null }
const CALLERS = {
  visitor: null,
  listener: { ...known, outletId: null },
  member: { ...known, userId: 'm', outletId: null },
  outlet: { ...known, outletId: 'o' },
}

type Answer = 'let in' | 'failed' | RefusalKind

async function answers(endpoint: { access: Access; alsoOutlets?: true }) {
  const said: Record<string, Answer> = {}
  for (const [name, caller] of Object.entries(CALLERS))
    said[name] = await refuseOthers(
      { method: 'GET', ...endpoint },
      caller,
      async (userId) => userId === 'm',
    ).then(
      (): Answer => 'let in',
      (refusal: unknown): Answer => (refusal instanceof Refusal ? refusal.kind : 'failed'),
    )
  return said
}

test.each<[Access, Answer, Answer, Answer, Answer]>([
  ['public', 'let in', 'let in', 'let in', 'let in'],
  ['open', 'let in', 'let in', 'let in', 'let in'],
  ['anyone', 'let in', 'let in', 'let in', 'forbidden'],
  ['user', 'notSignedIn', 'let in', 'let in', 'forbidden'],
  ['member', 'notSignedIn', 'forbidden', 'let in', 'forbidden'],
  ['outlet', 'notSignedIn', 'forbidden', 'forbidden', 'let in'],
])(
  'ROLE-14: %s admits exactly the roles that it names',
  async (access, visitor, listener, member, outlet) => {
    expect(await answers({ access })).toEqual({ visitor, listener, member, outlet })
  },
)

test('ROLE-14: a bookshop account can do everything that belongs to an account itself', async () => {
  expect(await answers({ access: 'user', alsoOutlets: true })).toEqual({
    visitor: 'notSignedIn',
    listener: 'let in',
    member: 'let in',
    outlet: 'let in',
  })
})
