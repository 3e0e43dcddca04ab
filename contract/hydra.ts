import Type, { type TSchema } from 'typebox'

/** Addresses of the neighbouring pages; absent where there is a single page and no parameter. */
export const PartialCollectionView = Type.Object({
  '@id': Type.String(),
  '@type': Type.Literal('hydra:PartialCollectionView'),
  'hydra:first': Type.Optional(Type.String()),
  'hydra:last': Type.Optional(Type.String()),
  'hydra:previous': Type.Optional(Type.String()),
  'hydra:next': Type.Optional(Type.String()),
})

/** Every list of the shop (API-04). A page beyond the end has no members and is no error. */
export const collection = <M extends TSchema>(member: M) =>
  Type.Object({
    '@context': Type.String(),
    '@id': Type.String(),
    '@type': Type.Literal('hydra:Collection'),
    'hydra:member': Type.Array(member),
    'hydra:totalItems': Type.Integer({ minimum: 0 }),
    'hydra:view': Type.Optional(PartialCollectionView),
  })

/** An item answered by itself: the embedded form with its context. */
export const item = <const T extends string, P extends Record<string, TSchema>>(type: T, properties: P) =>
  Type.Object({ '@context': Type.String(), '@id': Type.String(), '@type': Type.Literal(type), ...properties })
