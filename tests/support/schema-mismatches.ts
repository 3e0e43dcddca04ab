import type { TSchema } from 'typebox'
import Value from 'typebox/value'

/** What of an answer does not fit its schema, one line each; empty where all of it does. */
export const misfits = (schema: TSchema, answer: unknown): string[] =>
  Value.Check(schema, answer)
    ? []
    : Value.Errors(schema, answer).map(({ instancePath, message }) => `${instancePath} ${message}`)
