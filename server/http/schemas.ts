import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Endpoint } from '#contract/endpoint.ts'
import { unreadable } from './http-errors.ts'

/** A body is not coerced like a URL: `"seconds": null` would be stored as 0, a lost listening position. */
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

/** Plain digits only: Fastify coerces everything that JavaScript can, and no maximum stops `Infinity`. */
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

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly nullable?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Replaces `anyOf`: the serialiser would compile a validator for each part while the first visitor waits (1/8 s). */
export function schemaForSerialiser(schema: object): object {
  return simplified(schema)
}

function simplified(schema: Schema): Schema {
  if (!schema.anyOf) return withChildren(schema)
  const { anyOf, ...rest } = schema
  const parts = anyOf.map(simplified)
  const some = parts.filter(({ type }) => type !== 'null')
  const isNullable = some.length < parts.length || some.some(({ nullable }) => nullable)
  const one = some.length === 1 ? some[0]! : (oneText(some) ?? oneObject(some))
  if (!one) return { ...rest, anyOf: parts }
  return { ...rest, ...one, ...(isNullable ? { nullable: true } : {}) }
}

/** Child schemas are in `properties`, `items` and similar keywords, so every object is searched. */
function withChildren<T>(value: T): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema consists of plain objects
  if (Array.isArray(value)) return value.map((each: unknown) => schemaOr(each)) as T
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema consists of plain objects
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, schemaOr(each)])) as T
}

const schemaOr = (value: unknown): unknown => {
  if (Array.isArray(value)) return withChildren(value)
  return value !== null && typeof value === 'object' ? simplified(value) : value
}

const oneText = (parts: readonly Schema[]): Schema | undefined =>
  parts.every((part) => part.type === 'string') ? { type: 'string' } : undefined

function oneObject(parts: readonly Schema[]): Schema | undefined {
  if (!parts.every((part) => part.type === 'object' && part.properties)) return undefined
  const properties: Record<string, Schema> = {}
  for (const part of parts)
    for (const [name, schema] of Object.entries(part.properties!)) {
      const before = properties[name]
      const both =
        !before || JSON.stringify(before) === JSON.stringify(schema) ? schema : oneText([before, schema])
      if (!both) return undefined
      properties[name] = both
    }
  const required = parts
    .map((part) => part.required ?? [])
    .reduce((all, names) => all.filter((name) => names.includes(name)))
  return { type: 'object', properties, required }
}

interface Shape {
  readonly type?: string | string[]
  readonly const?: unknown
  readonly format?: string
  readonly properties?: Record<string, TSchema>
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly required?: readonly string[]
}

export const shapeOf = (schema: TSchema | undefined): Shape => schema ?? {}

/** PostgreSQL answers other texts with an error instead of no rows. */
export const isUuid = (text: string): boolean => UUID.test(text)
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
