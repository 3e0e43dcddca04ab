import { expect, test } from 'vitest'
import { fastify } from 'fastify'
import { Type } from 'typebox'
import { Email, nullable } from '#contract/atoms.ts'
import { refuseOtherTypes, schemaForSerialiser } from './schemas.ts'

const body = Type.Object({
  buyerEmail: Type.Optional(nullable(Email)),
  place: nullable(Type.Object({ seconds: Type.Number() })),
})
const wordsFor = (value: unknown) => {
  try {
    refuseOtherTypes(body, value)
    return 'taken'
  } catch (refusal) {
    return (refusal as Error).message
  }
}

test('values in a body are not coerced, also for nullable fields', () => {
  const place = null
  expect(wordsFor({ buyerEmail: 'x@y.example', place })).toBe('taken')
  expect(wordsFor({ buyerEmail: null, place: { seconds: 3 } })).toBe('taken')
  expect(wordsFor({ place })).toBe('taken')
  for (const buyerEmail of [['x@y.example'], 5, true, {}])
    expect(wordsFor({ buyerEmail, place })).toBe('buyerEmail: This value must be of type string or null.')
  expect(wordsFor({ place: { seconds: '3' } })).toBe('place.seconds: This value must be of type number.')
})

const orNull = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) => Type.Union([schema, Type.Null()])

const Thing = Type.Object({
  things: Type.Array(
    Type.Union([
      Type.Object({ kind: Type.Literal('book'), title: Type.String(), pages: Type.Number() }),
      Type.Object({ kind: Type.Literal('sound'), title: Type.String() }),
    ]),
  ),
  place: orNull(Type.Object({ name: Type.String() })),
  size: orNull(Type.Union([Type.Literal('small'), Type.Literal('large')])),
  note: Type.Optional(orNull(Type.String())),
})

const FULL = {
  things: [
    { kind: 'book', title: 'A', pages: 12, secret: 'x' },
    { kind: 'sound', title: 'B', secret: 'x' },
  ],
  place: { name: 'Whitby', secret: 'x' },
  size: 'large',
  note: null,
}

async function written(value: object): Promise<unknown> {
  const app = fastify()
  app.get('/', { schema: { response: { 200: schemaForSerialiser(Thing) } } }, () => value)
  return (await app.inject('/')).json()
}

test('unions and nulls are written as before, and unknown properties are left out', async () => {
  expect(await written(FULL)).toEqual({
    things: [
      { kind: 'book', title: 'A', pages: 12 },
      { kind: 'sound', title: 'B' },
    ],
    place: { name: 'Whitby' },
    size: 'large',
    note: null,
  })
  const empty = { things: [], place: null, size: null }
  expect(await written(empty)).toEqual(empty)
})

test('no union is left for which the serialiser would compile a validator', () => {
  expect(JSON.stringify(Thing)).toContain('anyOf')
  expect(JSON.stringify(schemaForSerialiser(Thing))).not.toContain('anyOf')
})

test('a union of different types stays a union', () => {
  const choice = Type.Union([Type.String(), Type.Object({ name: Type.String() })])
  expect(schemaForSerialiser(choice)).toHaveProperty('anyOf')
})
