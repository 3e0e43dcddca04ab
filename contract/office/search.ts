import Type, { type Static } from 'typebox'
import { officeEndpoint } from './office-endpoint.ts'
import { ListedOrder } from './orders.ts'
import { ListedPerson } from './people.ts'
import { ListedTitle } from './titles.ts'

const Found = Type.Object({
  kind: Type.Unsafe<'code' | 'card' | 'gift'>({ type: 'string' }),
  title: Type.String(),
  note: Type.String(),
  /** An address inside the office. */
  to: Type.String(),
})
export type Found = Static<typeof Found>

/** A POST, because what is typed may open something or name a customer, and addresses are logged. */
export const findAnything = officeEndpoint({
  method: 'POST',
  path: '/api/office/search',
  summary: 'Orders, people and titles by their words, and what has exactly this code or number',
  may: 'search.use',
  body: Type.Object({ words: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Type.Object({
    /** A discount code, a card or a gift. */
    found: Type.Array(Found),
    orders: Type.Array(Type.Pick(ListedOrder, ['number', 'buyer', 'titles', 'totalMinor'])),
    people: Type.Array(Type.Pick(ListedPerson, ['id', 'name', 'email', 'plan'])),
    titles: Type.Array(Type.Pick(ListedTitle, ['slug', 'title', 'authors', 'format', 'isbn'])),
    /** All titles with these words. */
    titleCount: Type.Integer({ minimum: 0 }),
  }),
})
