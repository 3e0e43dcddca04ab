import Type, { type Static } from 'typebox'

/** The terms of sale in the owner's `shop.json`: plans, VAT and countries. */

/** The keys of the possible plans. The key determines the billing interval and the tier. */
export const PLAN_KEYS = {
  'supporter-month': 6,
  'supporter-year': 7,
  'reader-month': 4,
  'reader-year': 5,
  'avid-month': 1,
  'avid-year': 2,
  'avid-six-months': 3,
} as const
export type PlanKey = keyof typeof PLAN_KEYS

const keys = Object.keys(PLAN_KEYS)
const Key = Type.Unsafe<PlanKey>({
  type: 'string',
  pattern: `^(${keys.join('|')})$`,
  expects: `one of ${keys.map((key) => `"${key}"`).join(', ')}`,
})
const line = (most: number) =>
  Type.String({
    pattern: '^\\S(.*\\S)?$',
    maxLength: most,
    expects: `text of at most ${most} letters, without blanks around it`,
  })

export const ShopPlan = Type.Object(
  {
    key: Key,
    /** The same for all plans of a tier; the interval is shown separately. */
    name: line(30),
    price: Type.String({
      pattern: '^(0|[1-9][0-9]{0,3})\\.[0-9]{2}$',
      expects: 'pounds and pence in quotes, like "7.99"',
    }),
    /** Per month. */
    freeAudiobooks: Type.Integer({ minimum: 0, maximum: 12, expects: 'a whole number from 0 to 12' }),
    texts: Type.Optional(
      Type.Array(line(80), { minItems: 1, maxItems: 5, expects: 'a list of one to five lines' }),
    ),
    /** False if it can no longer be joined and its members keep it. */
    sold: Type.Optional(Type.Boolean({ expects: 'true or false' })),
  },
  { additionalProperties: false },
)
export type ShopPlan = Static<typeof ShopPlan>

const Percent = Type.Integer({ minimum: 0, maximum: 100, expects: 'a whole number from 0 to 100' })

/** Rates in per cent, included in the price. A missing rate stays as before that day. */
const VatFrom = Type.Object(
  {
    from: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', expects: 'a day like "2026-04-01"' }),
    audiobook: Type.Optional(Percent),
    ebook: Type.Optional(Percent),
    membership: Type.Optional(Percent),
  },
  { additionalProperties: false },
)

export const ShopTerms = {
  plans: Type.Array(ShopPlan, { minItems: 1, maxItems: keys.length, expects: 'a list of plans' }),
  trial: Type.Object(
    {
      days: Type.Integer({ minimum: 1, maximum: 365, expects: 'a whole number of days from 1 to 365' }),
      plan: Type.Optional(Key),
    },
    { additionalProperties: false },
  ),
  /** In per cent of a title's price. */
  memberDiscount: Type.Integer({ minimum: 0, maximum: 90, expects: 'a whole number from 0 to 90' }),
  vat: Type.Record(
    Type.String(),
    Type.Array(VatFrom, { minItems: 1, maxItems: 50, expects: 'a list of rates with the day they begin' }),
  ),
  /** ISO 3166-1 codes; without the list, the shop sells to all countries. */
  countries: Type.Array(Type.String({ expects: 'a country code like "GB"' }), {
    minItems: 1,
    maxItems: 249,
    expects: 'a list of country codes like "GB"',
  }),
}
