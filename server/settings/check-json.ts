import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { linesByPointer } from './json-lines.ts'
import { nearest } from './nearest.ts'

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  /** The schema of the values of an object whose keys are data. */
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly expects?: string
}

export type Checked<S extends TSchema> = { readonly value: Static<S> } | { readonly mistakes: string[] }

/** Parses a JSON text by a schema. Returns the value, or one sentence for each mistake, naming key and line. */
export function jsonChecker<S extends TSchema>(schema: S): (text: string) => Checked<S> {
  const check = valueChecker(schema)
  return (text) => {
    try {
      return check(JSON.parse(text), () => linesByPointer(text))
    } catch (error) {
      const at = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
      const where = at === undefined ? '' : ` (line ${text.slice(0, Number(at)).split('\n').length})`
      return { mistakes: [`is not valid JSON${where}.`] }
    }
  }
}

/** The same for a value that is parsed already. Keys whose value is null count as absent. */
export function valueChecker<S extends TSchema>(
  schema: S,
): (value: unknown, lines: () => ReadonlyMap<string, number>) => Checked<S> {
  const validator = Compile(schema)
  const nodeAt = (pointer: string): Node | undefined => {
    let node: Node | undefined = schema
    for (const step of pointer.split('/').slice(1))
      node = node?.properties?.[step] ?? node?.items ?? Object.values(node?.patternProperties ?? {})[0]
    return node
  }
  return (given, linesOfText) => {
    const value = withoutNulls(given)
    if (validator.Check(value)) return { value }
    const lines = linesOfText()
    const mistakes = validator.Errors(value).flatMap((error) => {
      const { instancePath: pointer } = error
      const name = pointer === '' ? 'The file' : `"${pointer.slice(1).replaceAll('/', '.')}"`
      const at = (where: string, sentence: string) => ({ line: lineOfPointer(lines, where), sentence })
      switch (error.keyword) {
        // Reported at the object that contains the key.
        case 'boolean':
          return []
        case 'additionalProperties':
          return error.params.additionalProperties.map((key) => {
            const near = nearest(key, Object.keys(nodeAt(pointer)?.properties ?? {}))
            return at(
              `${pointer}/${key}`,
              `"${key}" is not a key here${near ? `; did you mean "${near}"?` : '.'}`,
            )
          })
        case 'required':
          return error.params.requiredProperties.map((key) => {
            const expected = nodeAt(pointer)?.properties?.[key]?.expects
            return at(
              pointer,
              `${name} needs "${key}"${expected?.startsWith('one of ') ? `: ${expected}` : ''}.`,
            )
          })
        default: {
          const expected = nodeAt(pointer)?.expects
          return [at(pointer, expected ? `${name} must be ${expected}.` : `${name} ${error.message}.`)]
        }
      }
    })
    const inOrder = mistakes.toSorted((one, two) => one.line - two.line)
    return { mistakes: [...new Set(inOrder.map(({ line, sentence }) => `line ${line}: ${sentence}`))] }
  }
}

function lineOfPointer(lines: ReadonlyMap<string, number>, pointer: string): number {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const line = lines.get(at)
    if (line !== undefined) return line
  }
  return 1
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  )
}
