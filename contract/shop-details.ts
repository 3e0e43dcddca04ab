import Type, { type Static, type TSchema } from 'typebox'
import type { OwnersPlan, Trial } from './plans.ts'
import { ShopTerms } from './shop-terms.ts'

/**
 * The shop's identity and appearance: the schema of the owner's `shop.json`, and the part of it that every page
 * contains.
 */

const object = <M extends Record<string, TSchema>>(more: M) =>
  Type.Object(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema is made of plain objects
    Object.fromEntries(Object.entries(more).map(([key, schema]) => [key, Type.Optional(schema)])) as {
      [K in keyof M]: ReturnType<typeof Type.Optional<M[K]>>
    },
    { additionalProperties: false },
  )
const words = (most: number) =>
  Type.String({
    pattern: '^\\S(.*\\S)?$',
    maxLength: most,
    expects: `text of at most ${most} letters, without blanks around it`,
  })
const Mailbox = Type.String({
  pattern: '^[^\\s@<>,"]+@[^\\s@<>,"]+\\.[^\\s@<>,"]+$',
  maxLength: 200,
  expects: 'an address like help@example.com',
})
const Telephone = Type.String({
  pattern: '^[+(]?[0-9][0-9 ()./-]{4,38}$',
  expects: 'a telephone number in quotes, like "020 7946 0018"',
})
/** A link to the shop's own or another page; the pattern excludes active schemes such as `javascript:`. */
const Address = Type.String({
  pattern: '^(https://|mailto:|tel:|/(?!/))\\S*$',
  maxLength: 500,
  expects: 'an address that begins with https://, mailto:, tel: or /',
})
const Elsewhere = Type.String({
  pattern: '^https://[^\\s/]+\\S*$',
  maxLength: 500,
  expects: 'an address that begins with https://',
})
const Colour = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  expects: 'a colour in quotes, like "#1F3D43"',
})
const picture = (endings: string) =>
  Type.String({
    pattern: `^[^/\\\\]+\\.(${endings.replaceAll(', ', '|')})$`,
    maxLength: 100,
    expects: `the name of a file beside shop.json that ends in ${endings}`,
  })
const link = Type.Object({ title: words(60), url: Address }, { additionalProperties: false })
const lines = (expects: string) => Type.Array(words(100), { minItems: 1, maxItems: 8, expects })

/** Optional parts of a shop (docs/operations/configuration.md). Each is enabled by default. */
export const SHOP_PARTS = [
  'membership',
  'trial',
  'membershipGifts',
  'christmas',
  'cards',
  'journal',
  'editions',
  'audiobooks',
  'eBooks',
  'payPal',
] as const
export type ShopPart = (typeof SHOP_PARTS)[number]
const parts = Object.fromEntries(SHOP_PARTS.map((part) => [part, Type.Boolean({ expects: 'true or false' })]))

export const ShopFile = Type.Object(
  {
    name: words(40),
    ...object({
      /** The name below the icon on a home screen; default: `name`. */
      shortName: words(16),
      /** One sentence for the end of every page and for the descriptions of the app and the feeds. */
      about: words(160),
      /** Only its shape is used, drawn in the text colour of its surroundings. */
      logo: picture('svg, png'),
      icon: picture('svg, png'),
      colours: object({ paper: Colour, accent: Colour, button: Colour }),
      mail: object({ sender: Mailbox, replyTo: Mailbox }),
      seller: object({
        name: words(100),
        address: lines('a list of lines, each in quotes'),
        vatNumber: words(40),
      }),
      help: object({
        mail: Mailbox,
        telephone: Telephone,
        bookshopMail: Mailbox,
        bookshopTelephone: Telephone,
      }),
      footer: Type.Array(
        Type.Object(
          { title: words(40), links: Type.Array(link, { minItems: 1, maxItems: 20 }) },
          { additionalProperties: false },
        ),
        { maxItems: 3 },
      ),
      social: Type.Array(Type.Object({ title: words(40), url: Elsewhere }, { additionalProperties: false }), {
        maxItems: 8,
      }),
      banner: Type.Object(
        { words: words(80), link: words(60), url: Address },
        { additionalProperties: false },
      ),
      newsletter: object({ title: words(60), words: words(200), often: words(60) }),
      journal: words(20),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of these names above
      parts: object(parts as Record<ShopPart, ReturnType<typeof Type.Boolean>>),
      zone: Type.String({ maxLength: 60, expects: 'the name of a time zone such as "Europe/London"' }),
      ...ShopTerms,
    }).properties,
  },
  { additionalProperties: false },
)
export type ShopFile = Static<typeof ShopFile>

/** The URL of a logo, and its width divided by its height. */
export interface Logo {
  readonly url: string
  readonly ratio: number
}

/** Embedded in every page, so that its first paint has the owner's name and colours. */
export interface PageDetails {
  readonly name: string
  readonly about: string
  readonly journal: string
  readonly newsletter: { readonly title: string; readonly words: string; readonly often: string }
  readonly social: readonly { readonly title: string; readonly url: string }[]
  readonly logo?: Logo
  readonly banner?: { readonly words: string; readonly link: string; readonly url: string }
  readonly footer?: readonly {
    readonly title: string
    readonly links: readonly { readonly title: string; readonly url: string }[]
  }[]
  /** The seller's name on receipts. */
  readonly seller: string
  /** The terms of memberships; absent if they are the defaults (`plans.ts`). */
  readonly plans?: readonly OwnersPlan[]
  readonly trial?: Trial
  /** The owner's name for the trial's plan; absent with the default plans. */
  readonly trialName?: string
  readonly memberDiscount?: number
  /** Disabled parts; absent if there are none. */
  readonly without?: readonly ShopPart[]
  /** A regular expression of the paths that do not exist because of `without`. */
  readonly closed?: string
  /** Paths of empty lists, which menus do not link to. Left out if no list is empty. */
  readonly empty?: readonly string[]
  /** Without keys of the payment provider; absent with them. */
  readonly takesNoPayments?: true
}
