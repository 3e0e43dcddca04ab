import { Ajv, type ValidateFunction } from 'ajv'
import type { World } from './world.ts'

interface Operation {
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly schema: object
  }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> }
  readonly responses: Record<string, { readonly content?: object }>
}
export type Described = Record<string, Record<string, Operation>>

/** What the shop publishes of itself. */
export const describedApi = async ({ shop }: World): Promise<Described> =>
  (await shop.app.inject('/api/docs.json')).json().paths

/** The operation of a call, `GET /api/styles`. */
export function operationOf(described: Described, name: string): Operation {
  const [method = '', path = ''] = name.split(' ')
  return described[path]![method.toLowerCase()]!
}

/** The published schema of a call's answer; undefined where it has none. */
export function replySchema(described: Described, name: string): object | undefined {
  const { responses } = operationOf(described, name)
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const content = success?.[1].content as Record<string, { schema: object }> | undefined
  return content && Object.values(content)[0]!.schema
}

/** Of all schemas: what a schema may be is not asked again of each, which took longer than all calls. */
const ajv = new Ajv({
  strict: false,
  validateSchema: false,
  formats: { uuid: true, 'date-time': true, date: true, email: true },
})

/** The schema with every object closed: a field that it does not list is an error. */
export function closed(schema: object): ValidateFunction {
  const strict = JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as object
  return ajv.compile(strict)
}
