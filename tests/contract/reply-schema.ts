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

/** The published description of the API. */
export const describedApi = async ({ shop }: World): Promise<Described> =>
  (await shop.app.inject('/api/docs.json')).json().paths

/** The operation of a call such as `GET /api/styles`. */
export function operationOf(described: Described, name: string): Operation {
  const [method = '', path = ''] = name.split(' ')
  return described[path]![method.toLowerCase()]!
}

/** The published schema of a call's JSON response, or undefined if it has none. */
export function replySchema(described: Described, name: string): object | undefined {
  const content = replyContent(described, name)
  return replyFile(described, name) ? undefined : content && Object.values(content)[0]!.schema
}

/** The published media type of a call's response that is a file. */
export const replyFile = (described: Described, name: string): string | undefined =>
  Object.entries(replyContent(described, name) ?? {}).find(
    ([, { schema }]) => 'format' in schema && schema.format === 'binary',
  )?.[0]

function replyContent(described: Described, name: string): Record<string, { schema: object }> | undefined {
  const { responses } = operationOf(described, name)
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return success?.[1].content as Record<string, { schema: object }> | undefined
}

/** Don't validate each schema against the meta-schema: that took longer than all the calls. */
const ajv = new Ajv({
  strict: false,
  validateSchema: false,
  formats: { uuid: true, 'date-time': true, date: true, email: true },
})

/** The schema with every object closed: unlisted properties are errors. */
export function closed(schema: object): ValidateFunction {
  const strict = JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as object
  return ajv.compile(strict)
}
