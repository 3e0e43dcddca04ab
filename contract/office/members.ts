import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString, Uuid } from '../atoms.ts'
import { type MemberState, MEMBER_STATES } from './member-states.ts'
import { Remedy } from './remedies.ts'
import { LIST_QUERY, officeEndpoint, officePage } from './office-endpoint.ts'

const State = Type.Unsafe<MemberState>({ type: 'string', enum: [...MEMBER_STATES] })

export const ListedMember = Type.Object({
  /** Of the account; null if it was closed. */
  id: nullable(Uuid),
  name: Type.String(),
  email: Type.String(),
  plan: Type.String(),
  state: State,
  since: Instant,
  /** Paid or given until then. */
  until: Instant,
  next: nullable(Type.Object({ at: Instant, minor: Type.Integer() })),
  /** Payments of this membership that were refused since the last that was paid. */
  refused: Type.Integer(),
  /** Of a failing payment: why the last one was refused, when the benefits end, and what a press does about it. */
  failing: nullable(
    Type.Object({ reason: NullableString, benefitsUntil: nullable(Instant), act: nullable(Remedy) }),
  ),
  /** Free audiobooks that can be chosen now. */
  toChoose: Type.Integer(),
})
export type ListedMember = Static<typeof ListedMember>

const FILTERS = {
  words: Type.Optional(Type.String({ maxLength: 100 })),
  /** Without it all that run. */
  state: Type.Optional(State),
  tier: Type.Optional(
    Type.Unsafe<'supporter' | 'reader' | 'avid'>({ type: 'string', enum: ['supporter', 'reader', 'avid'] }),
  ),
  choose: Type.Optional(Type.Unsafe<'yes'>({ type: 'string', enum: ['yes'] })),
  /** Memberships whose account was closed, which no other filter shows: they have no name any more. */
  account: Type.Optional(Type.Unsafe<'closed'>({ type: 'string', enum: ['closed'] })),
  since: Type.Optional(Type.String({ maxLength: 30 })),
} as const

export const listMembers = officeEndpoint({
  method: 'GET',
  path: '/api/office/members',
  summary: 'Accounts with a membership',
  may: 'members.read',
  query: Type.Object({ ...LIST_QUERY, ...FILTERS }),
  reply: officePage(
    ListedMember,
    Type.Object({
      /** What the memberships that renew bring in a month, in pence. */
      monthMinor: Type.Integer(),
    }),
  ),
})
export const exportMembers = officeEndpoint({
  method: 'GET',
  path: '/api/office/members/export',
  summary: 'The members of a list as CSV',
  may: 'people.export',
  fresh: true,
  query: Type.Object({ sort: LIST_QUERY.sort, ...FILTERS }),
})
