import type { TSchema } from 'typebox'
import type { Endpoint } from '#contract/endpoint.ts'
import { shapeOf } from '../schemas/schema-shape.ts'

/** A collection whose path has no parameters. */
export interface List {
  /** `audioBooks` for `/api/audio_books`. */
  readonly name: string
  readonly path: string
  readonly member: string
  readonly endpoint: Endpoint
  /** Other endpoints with the same path, such as adding a member. */
  readonly others: readonly Endpoint[]
}

export interface Field {
  readonly name: string
  /** `xsd:integer`, or `#Author` for another class; undefined if several types are possible. */
  readonly range?: string
  readonly required: boolean
  readonly writeable: boolean
}

export interface Class {
  readonly fields: readonly Field[]
  readonly operations: readonly Endpoint[]
}

export function listsOf(endpoints: readonly Endpoint[]): List[] {
  return endpoints
    .flatMap((endpoint) => {
      const { method, path, reply } = endpoint
      const member = typeOf(memberOf(reply))
      if (method !== 'GET' || path.includes('{') || !member) return []
      const name = path
        .replace('/api/', '')
        .replaceAll(/[/_-]+(\w)/g, (_, letter: string) => letter.toUpperCase())
      const others = endpoints.filter((other) => other.path === path && other !== endpoint)
      return [{ name, path, member, endpoint, others }]
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

/** The classes in responses, both single items and members of collections, with the endpoints at an item's path. */
export function classesOf(endpoints: readonly Endpoint[]): Map<string, Class> {
  const properties = new Map<string, Map<string, TSchema>>()
  const lists = listsOf(endpoints)
  for (const endpoint of endpoints)
    for (const schema of [endpoint.reply, memberOf(endpoint.reply)]) {
      const type = typeOf(schema)
      if (!schema || !type || type.startsWith('hydra:')) continue
      const known = properties.get(type) ?? new Map<string, TSchema>()
      for (const [name, property] of Object.entries(propertiesOf(schema)))
        if (!name.startsWith('@')) known.set(name, property)
      properties.set(type, known)
    }
  const types = [...properties.keys()].toSorted((one, other) => one.localeCompare(other, 'en'))
  return new Map(
    types.map((type) => {
      const own = lists.filter(({ member }) => member === type)
      const adding = own.flatMap(({ others }) => others)
      const items = own.map(({ path }) => `${path}/{}`)
      const operations = endpoints.filter(({ path }) => items.includes(path.replace(/\{\w+\}$/, '{}')))
      const bodies = [...adding, ...operations].map(({ body }) => shapeOf(body))
      const fields = [...properties.get(type)!].map(([name, schema]) => ({
        name,
        ...rangeOf(schema, properties),
        required: adding.some(({ body }) => shapeOf(body).required?.includes(name)),
        writeable: bodies.some((body) => name in (body.properties ?? {})),
      }))
      return [type, { fields, operations }]
    }),
  )
}

/** The XML Schema type of a value. A list has the type of its members. */
function rangeOf(schema: TSchema, classes: ReadonlyMap<string, unknown>): { range?: string } {
  const { format, items } = shapeOf(schema)
  const [only, ...others] = variantsOf(schema)
  if (only && only !== schema && others.length === 0) return rangeOf(only, classes)
  const type = [shapeOf(schema).type].flat().find((each) => each !== 'null')
  if (type === 'array') return items ? rangeOf(items, classes) : {}
  if (type === 'integer') return { range: 'xsd:integer' }
  if (type === 'number') return { range: 'xsd:decimal' }
  if (type === 'boolean') return { range: 'xsd:boolean' }
  if (type === 'string') return { range: format === 'date-time' ? 'xsd:dateTime' : 'xsd:string' }
  const other = typeOf(schema)
  return other && classes.has(other) ? { range: `#${other}` } : {}
}

const memberOf = (reply: TSchema | undefined) => shapeOf(propertiesOf(reply)['hydra:member']).items

const variantsOf = (schema: TSchema | undefined): readonly TSchema[] =>
  schema ? (shapeOf(schema).anyOf ?? [schema]).filter((each) => shapeOf(each).type !== 'null') : []

const propertiesOf = (schema: TSchema | undefined): Readonly<Record<string, TSchema>> =>
  Object.assign({}, ...variantsOf(schema).map((variant) => shapeOf(variant).properties))

/** `AudioBookOrEBook` if both are possible. */
const typeOf = (schema: TSchema | undefined): string | undefined => {
  const types = variantsOf(schema).map((variant) => shapeOf(shapeOf(variant).properties?.['@type']).const)
  return types.length > 0 && types.every((type) => typeof type === 'string') ? types.join('Or') : undefined
}
