import Type, { type Static } from 'typebox'
import { officeEndpoint } from './office-endpoint.ts'

const Found = Type.Object({
  kind: Type.Unsafe<'code' | 'card' | 'gift'>({ type: 'string' }),
  title: Type.String(),
  note: Type.String(),
  /** An address inside the office. */
  to: Type.String(),
})
export type Found = Static<typeof Found>

/** A POST, because what is typed may open something, and addresses are logged. */
export const findExactly = officeEndpoint({
  method: 'POST',
  path: '/api/office/search',
  summary: 'What has exactly this code or number: a discount code, a card, a gift',
  may: 'search.use',
  body: Type.Object({ words: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Type.Object({ found: Type.Array(Found) }),
})
