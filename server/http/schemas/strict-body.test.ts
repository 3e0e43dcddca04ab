import Type from 'typebox'
import { expect, test } from 'vitest'
import { Email, nullable } from '#contract/atoms.ts'
import { refuseOtherTypes } from './strict-body.ts'

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
