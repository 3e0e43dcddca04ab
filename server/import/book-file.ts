import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { linesOf } from './json-lines.ts'
import { Refused } from './refused.ts'

const closed = { additionalProperties: false } as const
const Text = Type.String({ minLength: 1, maxLength: 1_000 })
const Prose = Type.String({ maxLength: 100_000 })
const Money = Type.String({
  pattern: '^(0|[1-9][0-9]{0,4})\\.[0-9]{2}$',
  expects: 'pounds and pence in quotes, like "12.00"',
})
const Colour = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', expects: 'a colour like "#1F3D43"' })
const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 120,
  expects: 'small letters, figures and single hyphens, like "the-salt-ledger"',
})
const Count = Type.Integer({ minimum: 0, maximum: 100_000 })
const Person = Type.Object(
  { firstName: Type.String({ maxLength: 200 }), lastName: Text, nationality: Type.Optional(Text) },
  closed,
)

/** An owner's `book.json`: every key may be missing, none may be unknown. */
export const BookFile = Type.Partial(
  Type.Object(
    {
      slug: Slug,
      title: Text,
      authors: Type.Array(Person, { maxItems: 50 }),
      translator: Person,
      publisher: Type.Object(
        {
          slug: Slug,
          name: Text,
          about: Type.Optional(Prose),
          website: Type.Optional(
            Type.String({
              pattern: '^https?://',
              expects: 'an address that begins with http:// or https://',
            }),
          ),
        },
        closed,
      ),
      language: Text,
      style: Text,
      category: Text,
      locations: Type.Array(Text, { maxItems: 50 }),
      tags: Type.Array(Text, { maxItems: 100 }),
      summary: Prose,
      sampleText: Prose,
      firstPublished: Type.String({ format: 'date', expects: 'a date like "2021-03-01"' }),
      colours: Type.Partial(
        Type.Object(
          {
            background: Colour,
            container: Colour,
            text: Colour,
            accents: Type.Array(Colour, { maxItems: 6 }),
          },
          closed,
        ),
      ),
      violence: Type.Boolean(),
      published: Type.Boolean(),
      embargoed: Type.Boolean(),
      blockedCountries: Type.Array(
        Type.String({ pattern: '^[A-Z]{2}$', expects: 'a country code like "US"' }),
      ),
      edition: Type.Boolean(),
      currentHighlight: Type.Boolean(),
      memoir: Type.Boolean(),
      writersDilemma: Type.Boolean(),
      /** Place among the featured titles of the home page. */
      featuredPosition: Type.Integer({ minimum: 1, maximum: 1_000 }),
      publisherBook: Type.Object(
        {
          link: Type.String({
            pattern: '^https?://',
            expects: 'an address that begins with http:// or https://',
          }),
          name: Text,
        },
        closed,
      ),
      metaDescription: Type.String({ maxLength: 1_000 }),
      metaKeywords: Type.String({ maxLength: 1_000 }),
      audiobook: Type.Partial(
        Type.Object(
          {
            price: Money,
            memberPrice: Money,
            narrators: Type.Array(Person, { maxItems: 50 }),
            lengthHours: Count,
            lengthMin: Type.Integer({ minimum: 0, maximum: 59 }),
            spiSIN: Type.String({ pattern: '^[0-9]{13}$', expects: '13 figures in quotes' }),
            availableAsCard: Type.Boolean(),
            hideDownload: Type.Boolean(),
            chapters: Type.Array(Type.Object({ file: Text, title: Type.Optional(Text) }, closed), {
              maxItems: 2_000,
            }),
            sample: Text,
          },
          closed,
        ),
      ),
      ebook: Type.Partial(
        Type.Object(
          {
            price: Money,
            memberPrice: Money,
            pages: Type.Integer({ minimum: 1, maximum: 100_000 }),
            file: Text,
            madeAfterPurchase: Type.Boolean(),
            downloadable: Type.Boolean(),
            /** For tools that make the file; the shop reads the file itself. */
            chapterTitles: Type.Array(Text, { maxItems: 2_000 }),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  closed,
)
export type BookFile = Static<typeof BookFile>

const validator = Compile(BookFile)

/**
 * Reads a `book.json`. Throws `Refused` with one sentence for each mistake, naming key and line. A key
 * whose value is null counts as absent.
 */
export function readBookFile(json: string): BookFile {
  const text = json.replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = withoutNulls(JSON.parse(text))
  } catch (error) {
    throw new Refused(`book.json is not valid JSON${lineOfFault(text, error)}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refused('book.json must hold one object: { "title": … }.')
  if (validator.Check(value)) return value
  const lines = linesOf(text)
  throw new Refused(...new Set(validator.Errors(value).flatMap((error) => sentencesFor(error, lines))))
}

type Fault = ReturnType<typeof validator.Errors>[number]

function sentencesFor(error: Fault, lines: Map<string, number>): string[] {
  const at = (pointer: string) => `book.json line ${lines.get(pointer) ?? 1}`
  const { instancePath: pointer } = error
  switch (error.keyword) {
    // Told by the object that holds the key.
    case 'boolean':
      return []
    case 'additionalProperties':
      return error.params.additionalProperties.map((key) => {
        const near = nearest(key, keysAt(pointer))
        return `${at(`${pointer}/${key}`)}: "${key}" is not a key of ${nameOf(pointer)}${near ? `; did you mean "${near}"?` : '.'}`
      })
    case 'required':
      return [
        `${at(pointer)}: ${nameOf(pointer)} needs ${error.params.requiredProperties.map((key) => `"${key}"`).join(', ')}.`,
      ]
    case 'pattern':
    case 'format':
      return [`${at(pointer)}: ${nameOf(pointer)} must be ${expectation(pointer) ?? 'written another way'}.`]
    default:
      return [
        `${at(pointer)}: ${nameOf(pointer)} ${expectation(pointer) ? `must be ${expectation(pointer)}` : error.message}.`,
      ]
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
  let node: Node | undefined = BookFile as Node
  for (const step of pointer.split('/').slice(1)) node = node?.properties?.[step] ?? node?.items
  return node
}
const keysAt = (pointer: string): string[] => Object.keys(schemaAt(pointer)?.properties ?? {})
const expectation = (pointer: string): string | undefined => schemaAt(pointer)?.expects

/** The known key that a typing error was probably meant for. */
function nearest(key: string, known: readonly string[]): string | undefined {
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

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  )
}

function lineOfFault(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position === undefined) return ''
  return ` (line ${text.slice(0, Number(position)).split('\n').length})`
}
