import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { linesByPointer, nearest } from '#server/settings/check-json.ts'
import { namesIn, personOf, publisherOf } from '#server/features/catalogue/names.ts'
import { ImportRefused } from './refused.ts'
import Type, { type Static, type TSchema } from 'typebox'

const closed = { additionalProperties: false } as const
const optional = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Partial(Type.Object(properties), closed)

const Text = Type.String({ minLength: 1, maxLength: 1_000 })
const Prose = Type.String({ maxLength: 100_000 })
const Short = Type.String({ maxLength: 1_000 })
const Money = Type.String({
  pattern: '^(0|[1-9][0-9]{0,4})\\.[0-9]{2}$',
  expects: 'pounds and pence in quotes, like "12.00"',
})
const Colour = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', expects: 'a colour like "#1F3D43"' })
const Address = Type.String({
  pattern: '^https?://',
  maxLength: 2_000,
  expects: 'an address that begins with http:// or https://',
})
const Slug = Type.String({
  pattern: '^[a-z0-9]+([-_][a-z0-9]+)*$',
  maxLength: 120,
  expects: 'lower-case letters, digits and single hyphens, like "the-salt-ledger"',
})
const Isbn = Type.String({
  pattern: '^97[89]-?([0-9]-?){9}[0-9]$',
  expects: 'an ISBN of 13 figures in quotes',
})
/** `book-file.ts` has already expanded plain names. `lastName` alone is for single names: Homer, a collective. */
const Person = Type.Object(
  { firstName: Type.Optional(Short), lastName: Text, nationality: Type.Optional(Text) },
  { ...closed, expects: 'a name in quotes, like "Ida Frost", or an object with "lastName"' },
)
const People = Type.Array(Person, { maxItems: 50 })

const Audiobook = optional({
  price: Money,
  memberPrice: Money,
  isbn: Isbn,
  narrators: People,
  lengthHours: Type.Integer({ minimum: 0, maximum: 1_000 }),
  lengthMin: Type.Integer({ minimum: 0, maximum: 59 }),
  spiSIN: Type.String({ pattern: '^[0-9]{13}$', expects: '13 figures in quotes' }),
  availableAsCard: Type.Boolean(),
  hideDownload: Type.Boolean(),
  chapters: Type.Array(Type.Object({ file: Text, title: Type.Optional(Text) }, closed), { maxItems: 2_000 }),
  sample: Text,
  withoutFile: Type.Boolean(),
})

const Ebook = optional({
  price: Money,
  memberPrice: Money,
  isbn: Isbn,
  pages: Type.Integer({ minimum: 1, maximum: 100_000 }),
  file: Text,
  madeAfterPurchase: Type.Boolean(),
  withoutFile: Type.Boolean(),
  downloadable: Type.Boolean(),
  chapterTitles: Type.Array(Text, { maxItems: 2_000 }),
})

/** Every key is optional and unknown keys are errors. `expects` completes the error message "must be …". */
export const BookFile = optional({
  slug: Slug,
  title: Text,
  authors: People,
  translator: Person,
  publisher: Type.Object(
    { slug: Slug, name: Text, about: Type.Optional(Prose), website: Type.Optional(Address) },
    { ...closed, expects: 'a name in quotes, like "Low Tide Press", or an object with "slug" and "name"' },
  ),
  language: Text,
  style: Text,
  category: Text,
  locations: Type.Array(Text, { maxItems: 50 }),
  tags: Type.Array(Text, { maxItems: 100 }),
  series: Type.Array(
    Type.Object(
      {
        name: Text,
        number: Type.Optional(
          Type.String({ minLength: 1, maxLength: 20, expects: 'text in quotes, like "2", "1.5" or "3–4"' }),
        ),
        /** Positions by date of publication and in the story, where they differ from the number. */
        published: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 })),
        story: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 })),
        slug: Type.Optional(Slug),
      },
      closed,
    ),
    { maxItems: 20 },
  ),
  summary: Prose,
  sampleText: Prose,
  /** What one of the shop's booksellers says about it, and who that is. */
  bookseller: Type.Object({ words: Prose, name: Text }, closed),
  firstPublished: Type.String({ format: 'date', expects: 'a date like "2021-03-01"' }),
  colours: optional({
    background: Colour,
    container: Colour,
    text: Colour,
    accents: Type.Array(Colour, { maxItems: 6 }),
  }),
  violence: Type.Boolean(),
  state: Type.String({
    pattern: '^(draft|listed|on-sale|retired)$',
    expects: 'draft, listed, on-sale or retired',
  }),
  /** False means the state `listed`. */
  published: Type.Boolean(),
  preorder: Type.String({ format: 'date', expects: 'a date like "2027-03-01"' }),
  embargoed: Type.Boolean(),
  blockedCountries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$', expects: 'a country code like "US"' })),
  edition: Type.Boolean(),
  currentHighlight: Type.Boolean(),
  memoir: Type.Boolean(),
  writersDilemma: Type.Boolean(),
  featuredPosition: Type.Integer({ minimum: 1, maximum: 1_000 }),
  publisherBook: Type.Object({ link: Address, name: Text }, closed),
  metaDescription: Short,
  metaKeywords: Short,
  audiobook: Audiobook,
  ebook: Ebook,
})
export type BookFile = Static<typeof BookFile>

// Report all mistakes; the default limit is eight.
Settings.Set({ maxErrors: 100 })
const validator = Compile(BookFile)

/** @throws `ImportRefused` with one sentence per mistake, naming key and line */
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
  const lines = linesByPointer(text)
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
  const name = fieldName(pointer)
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

const fieldName = (pointer: string): string =>
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
/** `narrators` belongs in `audiobook.narrators`. */
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
