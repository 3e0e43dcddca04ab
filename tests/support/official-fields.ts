import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** The official library's type declarations for a kind of object. */
export const declarations = (file: string): string =>
  readFileSync(new URL(`../../node_modules/stripe/esm/resources/${file}.d.ts`, import.meta.url), 'utf8')

/**
 * Expects the fields that the official library declares: every required field, and none that the current API version
 * does not have.
 */
export function expectFields(answer: object, file: string, type: string): void {
  const body =
    new RegExp(`^export interface ${type} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(declarations(file))?.[1] ?? ''
  const fields = [...body.matchAll(/^ {4}(\w+)(\?)?:/gm)].map(([, name, optional]) => ({
    name: name!,
    optional,
  }))
  expect(fields.length, `${type} is declared`).toBeGreaterThan(8)
  const given = Object.keys(answer).filter((name) => name !== 'lastResponse')
  const demanded = fields.filter(({ optional }) => !optional).map(({ name }) => name)
  expect(given).toEqual(expect.arrayContaining(demanded))
  expect(given.filter((name) => !fields.some((field) => field.name === name))).toEqual([])
}
