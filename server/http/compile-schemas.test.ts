import { expect, test } from 'vitest'
import { compileSchemas } from './compile-schemas.ts'

const { buildValidator, buildSerializer } = compileSchemas.compilersFactory!
const validatorOf = (schema: object) =>
  buildValidator!({}, { customOptions: {} })({ schema, method: 'GET', url: '/', httpPart: 'body' })

test('a schema is compiled at its first use, not when its route is registered', () => {
  const broken = validatorOf({ type: 'no such type' })
  expect(() => broken({})).toThrow('type must be')
  const serialize = buildSerializer!({}, {})
  const written = serialize({
    schema: { type: 'object', properties: { title: { type: 'string' } } },
    ...{ method: 'GET', url: '/', httpStatus: '200' },
  })
  expect(written({ title: 'Salt', secret: 1 })).toBe('{"title":"Salt"}')
})

test('the validator’s errors are those of its last call', () => {
  const validate = validatorOf({ type: 'object', properties: { page: { type: 'integer' } } })
  expect(validate({ page: 'one' })).toBe(false)
  expect(validate).toHaveProperty('errors', [expect.objectContaining({ instancePath: '/page' })])
  expect(validate({ page: 1 })).toBe(true)
  expect(validate).toHaveProperty('errors', null)
})
