import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { BookFile } from './book-schema.ts'
import { linesOf } from '#server/settings/json-lines.ts'
import { nearest } from '#server/settings/nearest.ts'
import { namesIn, personOf } from './names.ts'
import { publisherOf } from './plan-fields.ts'
import { ImportRefused } from './refused.ts'

// Report all mistakes; the default limit is eight.
Settings.Set({ maxErrors: 100 })
const validator = Compile(BookFile)

/**
 * Reads a `book.json`. A key whose value is null counts as absent; a plain name is split into first and last name.
 *
 * @throws `ImportRefused` with one sentence per mistake, naming key and line
 */
export function readBookFile(json: string): BookFile {
  const text = json.replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = spelledOut(withoutNulls(JSON.parse(text)))
  } catch (error) {
    throw new ImportRefused(`book.json is not valid JSON${lineOfFault(text, error)}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ImportRefused('book.json must hold one object: { "title": … }.')
  if (validator.Check(value)) return value
  const lines = linesOf(text)
  const mistakes = validator.Errors(value).flatMap((error) => mistakesOf(error, lines))
  const inOrder = mistakes.toSorted((one, two) => one.line - two.line)
  throw new ImportRefused(
    ...new Set(inOrder.map(({ line, sentence }) => `book.json line ${line}: ${sentence}`)),
  )
}

type Fault = ReturnType<typeof validator.Errors>[number]

interface Mistake {
  readonly line: number
  readonly sentence: string
}

function mistakesOf(error: Fault, lines: Map<string, number>): Mistake[] {
  const { instancePath: pointer } = error
  const mistake = (at: string, sentence: string): Mistake => ({ line: lines.get(at) ?? 1, sentence })
  const name = nameOf(pointer)
  switch (error.keyword) {
    // Already reported for the object that holds the key.
    case 'boolean':
      return []
    case 'additionalProperties':
      return error.params.additionalProperties.map((key) => {
        const near = keysElsewhere(key, pointer)[0] ?? nearest(key, keysAt(pointer))
        const meant = near ? `; did you mean "${near}"?` : '.'
        return mistake(`${pointer}/${key}`, `"${key}" is not a key of ${name}${meant}`)
      })
    case 'required':
      return error.params.requiredProperties.map((key) => mistake(pointer, `${name} needs "${key}".`))
    default: {
      const expected = expectation(pointer)
      return [mistake(pointer, expected ? `${name} must be ${expected}.` : `${name} ${error.message}.`)]
    }
  }
}

const nameOf = (pointer: string): string =>
  pointer === '' ? 'book.json' : `"${pointer.slice(1).replaceAll('/', '.')}"`

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly expects?: string
}

function schemaAt(pointer: string): Node | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema is made of plain objects
  let node: Node | undefined = BookFile as Node
  for (const step of pointer.split('/').slice(1)) node = node?.properties?.[step] ?? node?.items
  return node
}
/** The correct paths of a misplaced key: `narrators` belongs in `audiobook.narrators`. */
function keysElsewhere(key: string, pointer: string): string[] {
  const places = (node: Node, path: string): string[] =>
    Object.entries(node.properties ?? {}).flatMap(([name, inner]) => [
      ...(name.toLowerCase() === key.toLowerCase() ? [path + name] : []),
      ...places(inner, `${path}${name}.`),
    ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema is made of plain objects
  return places(BookFile as Node, '').filter(
    (path) => path !== [...pointer.split('/').slice(1), key].join('.'),
  )
}
const keysAt = (pointer: string): string[] => Object.keys(schemaAt(pointer)?.properties ?? {})
const expectation = (pointer: string): string | undefined => schemaAt(pointer)?.expects

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Expands `"Ida Frost"` to first and last name, for one person or a list, and a publisher's name to an object. */
function spelledOut(value: unknown): unknown {
  if (!isObject(value)) return value
  const person = (name: unknown): unknown =>
    typeof name === 'string' && name.trim() !== '' ? personOf(name.trim()) : name
  const people = (given: unknown): unknown =>
    typeof given === 'string' ? namesIn(given).map(person) : Array.isArray(given) ? given.map(person) : given
  const { authors, translator, publisher, audiobook } = value
  return {
    ...value,
    ...('authors' in value ? { authors: people(authors) } : {}),
    ...('translator' in value ? { translator: person(translator) } : {}),
    ...(typeof publisher === 'string' ? { publisher: publisherOf(publisher.trim()) ?? publisher } : {}),
    ...(isObject(audiobook) && 'narrators' in audiobook
      ? { audiobook: { ...audiobook, narrators: people(audiobook.narrators) } }
      : {}),
  }
}

function lineOfFault(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position === undefined) return ''
  return ` (line ${text.slice(0, Number(position)).split('\n').length})`
}
