import { randomUUID } from 'node:crypto'
import { type Described, operationOf } from './reply-schema.ts'

type Schema = Readonly<Record<string, unknown>>

/** All calls that change one membership or one of its payments, from the server's own list of calls. */
export const callsOnMembership = (names: Iterable<string>): string[] =>
  [...names].filter(
    (name) =>
      !name.startsWith('GET ') &&
      /(?:subscription|payment).*\{id\}/i.test(name) &&
      // Gifts have ids of their own.
      !name.includes('/given/'),
  )

/** A valid body for the call, with this payment method if the call needs one. */
export function bodyFor(described: Described, name: string, paymentMethod: string): Record<string, unknown> {
  const content = operationOf(described, name).requestBody?.content
  const schema = content && (Object.values(content)[0]!.schema as Schema)
  const properties = (schema?.properties ?? {}) as Record<string, Schema>
  return Object.fromEntries(
    Object.entries(properties).flatMap(([field, of]) => {
      if (/method/i.test(field)) return [[field, paymentMethod]]
      if (field === 'plan') return [[field, 1]]
      if (/until|At$/.test(field)) return []
      const value = valueFor(of)
      return value === undefined ? [] : [[field, value]]
    }),
  )
}

function valueFor(schema: Schema): unknown {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0
  if (type === 'string') return schema.format === 'uuid' ? randomUUID() : undefined
  return undefined
}
