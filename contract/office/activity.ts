import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString } from '../atoms.ts'
import { LIST_QUERY, officeEndpoint, officePage } from './office-endpoint.ts'

/** An act of a member of staff, in the office or by a command. */
export const Entry = Type.Object({
  id: Type.Integer(),
  at: Instant,
  by: Type.String(),
  /** `orders refund`, as the command is called. */
  kind: Type.String(),
  /** `order M-100012` */
  about: Type.String(),
  what: Type.String(),
  because: Type.String(),
  before: NullableString,
  after: NullableString,
  outcome: nullable(Type.Unsafe<'done' | 'failed'>({ type: 'string', enum: ['done', 'failed'] })),
  canUndo: Type.Boolean(),
  /** Why the act can't be undone. Null if it can, and for kinds of acts that have no undo. */
  whyNot: NullableString,
  undone: nullable(Type.Object({ by: Type.String(), at: Instant })),
})
export type Entry = Static<typeof Entry>

const FILTERS = {
  words: Type.Optional(Type.String({ maxLength: 100 })),
  by: Type.Optional(Type.String({ maxLength: 100 })),
  kind: Type.Optional(Type.String({ maxLength: 60 })),
  about: Type.Optional(Type.String({ maxLength: 200 })),
  since: Type.Optional(Type.String({ format: 'date' })),
} as const

export const listActivity = officeEndpoint({
  method: 'GET',
  path: '/api/office/activity',
  summary: 'What was done in the office and by commands, newest first',
  may: 'activity.read',
  query: Type.Object({ ...LIST_QUERY, ...FILTERS }),
  reply: Type.Object({
    ...officePage(Entry, Type.Object({})).properties,
    people: Type.Array(Type.String()),
    kinds: Type.Array(Type.String()),
  }),
})
export const exportActivity = officeEndpoint({
  method: 'GET',
  path: '/api/office/activity/export',
  summary: 'The activity log as CSV',
  may: 'activity.export',
  fresh: true,
  query: Type.Object(FILTERS),
})
export const undo = officeEndpoint({
  method: 'POST',
  path: '/api/office/activity/{id}/undo',
  summary: 'Undo an act',
  may: null,
  params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
  reply: Type.Object({ entry: Type.Integer(), what: Type.String(), at: Instant, about: NullableString }),
})
