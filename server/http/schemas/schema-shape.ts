import type { TSchema } from 'typebox'

/** The properties of a JSON schema that we read; TypeBox's type does not expose them. */
export interface Shape {
  readonly type?: string | string[]
  readonly const?: unknown
  readonly format?: string
  readonly properties?: Record<string, TSchema>
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly required?: readonly string[]
}

export const shapeOf = (schema: TSchema | undefined): Shape => schema ?? {}
