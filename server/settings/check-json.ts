import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
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

/** The line of each value by JSON pointer: `/audiobook/price` → 12. The text must be valid JSON. */
export function linesByPointer(json: string): Map<string, number> {
  const lines = new Map<string, number>()
  let at = 0
  let line = 1

  const skip = () => {
    for (; at < json.length && /[\s:,]/.test(json[at]!); at++) if (json[at] === '\n') line++
  }
  const string = (): string => {
    const start = at
    for (at++; json[at] !== '"'; at++) if (json[at] === '\\') at++
    at++
    return JSON.parse(json.slice(start, at))
  }
  const value = (pointer: string): void => {
    skip()
    if (!lines.has(pointer)) lines.set(pointer, line)
    if (json[at] === '{' || json[at] === '[') {
      const close = json[at] === '{' ? '}' : ']'
      at++
      for (let index = 0; ; index++) {
        skip()
        if (json[at] === close) break
        if (close === ']') {
          value(`${pointer}/${index}`)
          continue
        }
        const startLine = line
        const key = `${pointer}/${string().replaceAll('~', '~0').replaceAll('/', '~1')}`
        lines.set(key, startLine)
        value(key)
      }
      at++
    } else if (json[at] === '"') string()
    else while (at < json.length && !/[\s,\]}]/.test(json[at]!)) at++
  }

  value('')
  return lines
}

export function nearest(key: string, known: readonly string[]): string | undefined {
  const scored = known.map(
    (candidate) => [distance(key.toLowerCase(), candidate.toLowerCase()), candidate] as const,
  )
  const [best] = scored.sort(([one], [two]) => one - two)
  return best && best[0] <= Math.max(2, Math.floor(key.length / 3)) ? best[1] : undefined
}

function distance(one: string, two: string): number {
  let row = Array.from({ length: two.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= two.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(one[i - 1] !== two[j - 1])))
    row = next
  }
  return row.at(-1)!
}
