import type { TSchema } from 'typebox'

/** The part of a schema that we read; its own type keeps that to itself. */
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
