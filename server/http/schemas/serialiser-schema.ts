interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly nullable?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/**
 * Rewrites a response schema for the serialiser. For an `anyOf`, it would check the value against each part with a
 * validator that it compiles while the first visitor waits: an eighth of a second. Our responses don't need that. A
 * nullable field becomes `nullable`, a union of string constants becomes a string, and a union of objects becomes one
 * object with all their fields. The output is the same.
 */
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
