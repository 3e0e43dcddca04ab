import Type, { type Static } from 'typebox'

export const Violation = Type.Object({
  propertyPath: Type.String(),
  message: Type.String(),
  code: Type.Optional(Type.String()),
})

/**
 * Every error response (API-05): the Hydra error and plain fields, because clients read them by name. The token
 * endpoints also use `code` and `message` (`Invalid credentials.`).
 */
export const Problem = Type.Object({
  '@context': Type.String(),
  '@id': Type.String(),
  '@type': Type.String(),
  type: Type.String(),
  status: Type.Integer(),
  code: Type.Integer(),
  'hydra:title': Type.String(),
  'hydra:description': Type.String(),
  title: Type.String(),
  detail: Type.String(),
  description: Type.String(),
  message: Type.String(),
  violations: Type.Optional(Type.Array(Violation)),
})
export type Problem = Static<typeof Problem>
