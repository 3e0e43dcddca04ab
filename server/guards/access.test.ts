import { expect, test } from 'vitest'
import type { Access } from '#contract/endpoint.ts'
import { Refusal } from '../refusals.ts'
import { refuseOthers } from './access.ts'

const known = { userId: 'u', sessionId: 's', countryCode: null }
const CALLERS = {
  visitor: null,
  listener: { ...known, outletId: null },
  member: { ...known, userId: 'm', outletId: null },
  outlet: { ...known, outletId: 'o' },
}

async function answers(endpoint: { access: Access; alsoOutlets?: true }) {
  const said: Record<string, number> = {}
  for (const [name, caller] of Object.entries(CALLERS))
    said[name] = await refuseOthers(endpoint, caller, async (userId) => userId === 'm').then(
      () => 200,
      (refusal: unknown) => (refusal instanceof Refusal ? refusal.status : 500),
    )
  return said
}

test.each<[Access, number, number, number, number]>([
  ['public', 200, 200, 200, 200],
  ['open', 200, 200, 200, 200],
  ['anyone', 200, 200, 200, 403],
  ['user', 401, 200, 200, 403],
  ['member', 401, 403, 200, 403],
  ['outlet', 401, 403, 403, 200],
])('ROLE-14: %s is for those whom it names', async (access, visitor, listener, member, outlet) => {
  expect(await answers({ access })).toEqual({ visitor, listener, member, outlet })
})

test('ROLE-14: what every account has of its own a bookshop has too', async () => {
  expect(await answers({ access: 'user', alsoOutlets: true })).toEqual({
    visitor: 401,
    listener: 200,
    member: 200,
    outlet: 200,
  })
})
