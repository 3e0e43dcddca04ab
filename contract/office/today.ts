import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString } from '../atoms.ts'
import { Remedy } from './remedies.ts'
import { officeEndpoint } from './office-endpoint.ts'

const Key = Type.String({ pattern: '^[a-z]{1,20}(:.{1,200})?$', maxLength: 222 })
const Count = nullable(Type.Integer())

/** Null for figures that the caller's role does not see. */
const Day = Type.Object({
  day: Type.String(),
  orders: Count,
  takenMinor: Count,
  refundedMinor: Count,
})

/** Something that needs a person, as `npm run todo` lists it. */
export const Todo = Type.Object({
  key: Type.String(),
  kind: Type.String(),
  what: Type.String(),
  remedy: Type.String(),
  since: nullable(Instant),
  /** What a press does about it. */
  act: nullable(Remedy),
  /** Whether it can be put aside as dealt with; otherwise it goes once it is solved. */
  canPutAside: Type.Boolean(),
})
export type Todo = Static<typeof Todo>

const Compared = Type.Object({ yesterday: Count, before: Count })
export const Today = Type.Object({
  /** Today in the shop's time zone: `2026-11-24`. */
  day: Type.String(),
  todo: Type.Array(Todo),
  /** Fourteen days, yesterday last; empty for roles that see neither orders nor sales. */
  days: Type.Array(Day),
  members: Type.Object({ joined: Compared, left: Compared, failing: Compared }),
  /** People who listened; null for fewer than ten. */
  listeners: Compared,
  /** Whether anything was ever bought: until then the first steps are all there is to see. */
  hasSold: Type.Boolean(),
  /** What a new shop has to do; empty for others than owners, and once all of it is done. */
  steps: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      isDone: Type.Boolean(),
      /** What is to do next in it, such as `pages`; null if it is done. */
      part: NullableString,
      /** What to do, if it isn't done. */
      help: Type.String(),
    }),
  ),
})
export type Today = Static<typeof Today>

export const getToday = officeEndpoint({
  method: 'GET',
  path: '/api/office/today',
  summary: 'What needs a person, and how yesterday was',
  may: 'today.read',
  reply: Today,
})
export const putAside = officeEndpoint({
  method: 'POST',
  path: '/api/office/today/aside',
  summary: 'Put something aside that was dealt with in another way',
  may: 'today.act',
  body: Type.Object({ key: Key }),
  reply: Type.Object({ entry: Type.Integer() }),
})
