import Type, { type Static, type TSchema } from 'typebox'

const closed = { additionalProperties: false } as const
/** An object in which every key is optional and unknown keys are errors. */
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
  /** Sold although the shop has no sound file. */
  withoutFile: Type.Boolean(),
})

const Ebook = optional({
  price: Money,
  memberPrice: Money,
  isbn: Isbn,
  pages: Type.Integer({ minimum: 1, maximum: 100_000 }),
  file: Text,
  madeAfterPurchase: Type.Boolean(),
  /** Sold although the shop has no text file. */
  withoutFile: Type.Boolean(),
  downloadable: Type.Boolean(),
  /** For tools that make the e-book; the shop reads the e-book itself. */
  chapterTitles: Type.Array(Text, { maxItems: 2_000 }),
})

/**
 * An owner's `book.json`: every key is optional and unknown keys are errors. `expects` completes the error message
 * "must be …".
 */
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
  /** One or several series. Cards show the first. */
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
        /** Tells apart two series with the same name. */
        slug: Type.Optional(Slug),
      },
      closed,
    ),
    { maxItems: 20 },
  ),
  summary: Prose,
  sampleText: Prose,
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
  /** The release date. The title is announced, but not sold, until its files are imported. */
  preorder: Type.String({ format: 'date', expects: 'a date like "2027-03-01"' }),
  embargoed: Type.Boolean(),
  blockedCountries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$', expects: 'a country code like "US"' })),
  edition: Type.Boolean(),
  currentHighlight: Type.Boolean(),
  memoir: Type.Boolean(),
  writersDilemma: Type.Boolean(),
  /** Position among the featured titles of the home page. */
  featuredPosition: Type.Integer({ minimum: 1, maximum: 1_000 }),
  publisherBook: Type.Object({ link: Address, name: Text }, closed),
  metaDescription: Short,
  metaKeywords: Short,
  audiobook: Audiobook,
  ebook: Ebook,
})
export type BookFile = Static<typeof BookFile>
