import Type, { type TSchema } from 'typebox'

/** URLs of the neighbouring pages; absent for a single page without parameters. */
export const PartialCollectionView = Type.Object({
  '@id': Type.String(),
  '@type': Type.Literal('hydra:PartialCollectionView'),
  'hydra:first': Type.Optional(Type.String()),
  'hydra:last': Type.Optional(Type.String()),
  'hydra:previous': Type.Optional(Type.String()),
  'hydra:next': Type.Optional(Type.String()),
})

/** The format of every list (API-04). A page beyond the end has no members and is not an error. */
export const collection = <M extends TSchema>(member: M) =>
  Type.Object({
    '@context': Type.String(),
    '@id': Type.String(),
    '@type': Type.Literal('hydra:Collection'),
    'hydra:member': Type.Array(member),
    'hydra:totalItems': Type.Integer({ minimum: 0 }),
    'hydra:view': Type.Optional(PartialCollectionView),
  })

/** The format of a single item: the embedded form with its context. */
export const item = <const T extends string, P extends Record<string, TSchema>>(type: T, properties: P) =>
  Type.Object({ '@context': Type.String(), '@id': Type.String(), '@type': Type.Literal(type), ...properties })
