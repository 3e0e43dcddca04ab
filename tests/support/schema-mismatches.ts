import type { TSchema } from 'typebox'
import Value from 'typebox/value'

/** Where a response doesn't match its schema, one line each; empty if it matches. */
export const misfits = (schema: TSchema, answer: unknown): string[] =>
  Value.Check(schema, answer)
    ? []
    : Value.Errors(schema, answer).map(({ instancePath, message }) => `${instancePath} ${message}`)
