import Type, { type Static, type TSchema } from 'typebox'
import { DISCOUNT_TYPES, type DiscountType } from '#contract/discounts.ts'
import { MembershipPage } from '#contract/pages.ts'
import { SHOP_PARTS, type ShopPart } from '#contract/shop-details.ts'

const closed = { additionalProperties: false } as const
const object = <N extends Record<string, TSchema>, M extends Record<string, TSchema>>(needed: N, more: M) =>
  Type.Object(
    {
      ...needed,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema is made of plain objects
      ...(Object.fromEntries(Object.entries(more).map(([key, schema]) => [key, Type.Optional(schema)])) as {
        [K in keyof M]: ReturnType<typeof Type.Optional<M[K]>>
      }),
    },
    closed,
  )

const quoted = 'text, in quotes where it looks like a number'
const Text = Type.String({ minLength: 1, maxLength: 1_000, expects: quoted })
const Prose = Type.String({ maxLength: 20_000, expects: quoted })
const Flag = Type.Boolean({ expects: 'true or false' })
const Colour = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  expects: 'a colour in quotes, like "#1F3D43"',
})
const Colours = object(
  {},
  {
    background: Colour,
    container: Colour,
    text: Colour,
    accents: Type.Array(Colour, { maxItems: 6 }),
  },
)
/** The pattern excludes `javascript:` and other active schemes. */
const Address = Type.String({
  pattern: '^(https?://|mailto:|/(?!/))',
  maxLength: 2_000,
  expects: 'an address that begins with https://, http://, mailto: or /',
})
const Mailbox = Type.String({
  pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
  maxLength: 200,
  expects: 'an address like help@example.com',
})
const Days = Type.Number({ minimum: -100_000, maximum: 100_000, expects: 'a number of days' })
const Instant = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}([T ]\\d{2}:\\d{2}(:\\d{2})?(Z|[+-]\\d{2}:\\d{2})?)?$',
  expects: 'a date like 2026-03-02, or 2026-03-02T19:30Z with a time',
})
const Slugs = Type.Array(Text, { maxItems: 200 })
const Hour = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  expects: 'an hour in quotes, like "19:30"',
})
const Line = Type.String({ minLength: 1, maxLength: 200, expects: 'a short line of text' })

export const AuthorFile = object({ firstName: Prose, lastName: Text }, { colours: Colours, image: Text })
export type AuthorFile = Static<typeof AuthorFile>

export const ItemFile = object(
  { title: Text },
  {
    summary: Prose,
    shortDescription: Prose,
    author: Text,
    category: Text,
    type: Text,
    published: Flag,
    publishedAt: Instant,
    publishedDaysAgo: Days,
    featured: Flag,
    special: Flag,
    memberOnly: Flag,
    minimumTier: Type.String({ pattern: '^(supporter|reader)$', expects: 'supporter or reader' }),
    hideAuthor: Flag,
    videoLink: Text,
    link: Address,
    linkTitle: Text,
    startsAt: Instant,
    startsInDays: Days,
    from: Hour,
    until: Hour,
    place: Line,
    placeNote: Line,
    admission: Line,
    goodToKnow: Type.Array(Text, { maxItems: 12 }),
    seats: Type.Integer({ minimum: 1, maximum: 10_000, expects: 'a whole number of seats' }),
    audio: Text,
    parts: Type.Array(
      object(
        {
          at: Type.String({
            pattern: '^\\d{1,3}:[0-5]\\d$',
            expects: 'minutes and seconds in quotes, like "6:31"',
          }),
          title: Line,
        },
        {},
      ),
      { maxItems: 100 },
    ),
    colours: Colours,
    image: Text,
    altText: Prose,
    books: Slugs,
    metaDescription: Text,
    metaKeywords: Text,
  },
)
export type ItemFile = Static<typeof ItemFile>

const Part = Type.Unsafe<ShopPart>({
  type: 'string',
  enum: [...SHOP_PARTS],
  expects: `one of ${SHOP_PARTS.join(', ')}`,
})
export const PageFile = object({ title: Text }, { part: Part })
export const FaqFile = object({ name: Text }, { part: Part })

const MenuEntries = Type.Array(object({ group: Text, title: Text, url: Address }, { style: Text }), {
  maxItems: 200,
})
export const MenusFile = object({}, { main: MenuEntries, search: MenuEntries })
export type MenusFile = Static<typeof MenusFile>

const Section = Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9]*$', maxLength: 60, expects: 'one word' })
export const HomeFile = object(
  {},
  {
    panels: Type.Array(object({ section: Section, title: Text, weight: Type.Integer() }, { visible: Flag }), {
      maxItems: 100,
    }),
    introText: object({}, { visitor: Prose, user: Prose, member: Prose }),
    aboutText: Prose,
    appStoreLink: Address,
    playStoreLink: Address,
    guestPicks: Slugs,
    publishers: Slugs,
    staffPicks: Type.Array(
      object({ title: Text, description: Prose, author: Text }, { visible: Flag, audioBook: Text }),
      { maxItems: 100 },
    ),
  },
)
export type HomeFile = Static<typeof HomeFile>

const { '@id': _id, '@type': _type, image: _image, ...texts } = MembershipPage.properties
export const MembershipFile = object({}, { ...texts, image: Text })

export const PromoFile = Type.Array(
  object({ title: Text, text: Prose }, { link: Address, linkTitle: Text }),
  {
    maxItems: 50,
  },
)
export const SettingsFile = object(
  {},
  {
    requiredPurchaserEmail: Flag,
    supportMail: Mailbox,
    bookshopMail: Mailbox,
    bookshopPhone: Text,
    address: Type.Array(Text, { minItems: 1, maxItems: 8, expects: 'a list of lines, each in quotes' }),
    vatNumber: Text,
  },
)

export const TitledFile = Type.Array(object({ title: Text }, {}), { maxItems: 5_000 })
export const CategoriesFile = Type.Array(object({ name: Text }, { visible: Flag, weight: Type.Integer() }), {
  maxItems: 1_000,
})
const Place = Type.Number({ minimum: 0, maximum: 100_000, expects: 'a number' })
const SlugText = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 120,
  expects: 'lower-case letters, digits and single hyphens',
})
export const SeriesFile = Type.Array(
  object(
    { name: Text },
    {
      slug: SlugText,
      notHere: Type.Array(
        object(
          { title: Text },
          {
            number: Type.String({
              minLength: 1,
              maxLength: 20,
              expects: 'text in quotes, like "2" or "1.5"',
            }),
            comesOut: Type.String({ format: 'date', expects: 'a date like "2027-03-01"' }),
            published: Place,
            story: Place,
          },
        ),
        { maxItems: 500 },
      ),
    },
  ),
  { maxItems: 5_000 },
)
export const PublishersFile = Type.Array(
  object(
    {
      slug: SlugText,
      name: Text,
    },
    { about: Prose, website: Address },
  ),
  { maxItems: 5_000 },
)

export const PeopleFile = Type.Array(object({ lastName: Text, about: Prose }, { firstName: Text }), {
  maxItems: 5_000,
})

export const DiscountsFile = Type.Array(
  object(
    {
      code: Type.String({ pattern: '^\\S{1,64}$', expects: 'a code without spaces' }),
      type: Type.Unsafe<DiscountType>({
        type: 'string',
        enum: [...DISCOUNT_TYPES],
        expects: `one of ${DISCOUNT_TYPES.join(', ')}`,
      }),
    },
    {
      percent: Type.Integer({ minimum: 1, maximum: 100, expects: 'a whole number from 1 to 100' }),
      amount: Type.Number({ minimum: 0.01, maximum: 10_000, expects: 'an amount in pounds' }),
      book: Text,
      active: Flag,
      startsAt: Instant,
      endsAt: Instant,
      endedDaysAgo: Days,
      oncePerAccount: Flag,
      uses: Type.Integer({ minimum: 1, maximum: 1_000_000, expects: 'how often it can be used in all' }),
      duration: Type.Unsafe<'once' | 'repeating' | 'forever'>({
        type: 'string',
        enum: ['once', 'repeating', 'forever'],
        expects: 'once, repeating or forever',
      }),
      durationMonths: Type.Integer({ minimum: 1, maximum: 120, expects: 'a number of months' }),
    },
  ),
  { maxItems: 5_000 },
)
export type DiscountsFile = Static<typeof DiscountsFile>
