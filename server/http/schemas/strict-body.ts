import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Endpoint } from '#contract/endpoint.ts'
import { unreadable } from '../http-errors.ts'
import { type Shape, shapeOf } from './schema-shape.ts'

/**
 * Refuses a body whose values have other types than the contract's.
 *
 * URL parameters are strings, so they are coerced to numbers. In a body the same coercion would store `"seconds": null`
 * as 0: a lost listening position.
 */
export function refuseOtherTypes(schema: TSchema, value: unknown, path: readonly string[] = []): void {
  const { type, anyOf, properties, items } = shapeOf(schema)
  if (anyOf) {
    const fitting = anyOf.find((each) => isOneOf(typesOf(each), value))
    if (!fitting) throw otherType(anyOf.flatMap(typesOf), path)
    refuseOtherTypes(fitting, value, path)
    return
  }
  if (type !== undefined && !isOneOf(typesOf(schema), value)) throw otherType(typesOf(schema), path)
  if (properties && isRecord(value))
    for (const [name, property] of Object.entries(properties))
      if (Object.hasOwn(value, name)) refuseOtherTypes(property, value[name], [...path, name])
  if (items && Array.isArray(value))
    for (const [index, item] of value.entries()) refuseOtherTypes(items, item, [...path, String(index)])
}

const typesOf = (schema: TSchema) => [shapeOf(schema).type ?? []].flat()

const otherType = (wanted: readonly string[], path: readonly string[]) =>
  unreadable(
    `${path.length > 0 ? `${path.join('.')}: ` : ''}This value must be of type ${wanted.join(' or ')}.`,
  )

/**
 * Refuses URL numbers that are not plain digits. Fastify coerces everything that JavaScript can, and then neither
 * minimum nor maximum stops `Infinity`.
 */
export function refuseOddNumbers({ query: schema }: Pick<Endpoint, 'query'>, request: FastifyRequest): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated by the route's schema
  const given = request.query as Record<string, unknown>
  for (const [name, property] of Object.entries(shapeOf(schema).properties ?? {})) {
    const { type, items } = shapeOf(property)
    if (!isNumeric(type) && !isNumeric(shapeOf(items).type)) continue
    const values: unknown[] = [given[name] ?? []].flat()
    if (values.some((value) => !PLAIN_NUMBER.test(String(value))))
      throw unreadable(`${name}: This value must be a number.`)
  }
}
const isNumeric = (type: Shape['type']) => type === 'integer' || type === 'number'
const PLAIN_NUMBER = /^-?\d{1,12}(?:\.\d{1,6})?$/

/** Whether any string in it contains NUL, which PostgreSQL's text type cannot store. */
export function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (Array.isArray(value)) return value.some(holdsNul)
  return isRecord(value) && Object.values(value).some(holdsNul)
}

const isOneOf = (types: readonly string[], value: unknown) => types.some((type) => is(type, value))

function is(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
