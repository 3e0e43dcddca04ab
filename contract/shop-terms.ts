import Type, { type Static } from 'typebox'

/** On what terms a shop sells: the part of the owner's `shop.json` that is about plans, VAT and countries. */

/** The places that a plan can have; the place says what renews it, and what stands above what. */
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
    /** Those of one tier share it: the rhythm is said beside it. */
    name: line(30),
    price: Type.String({
      pattern: '^(0|[1-9][0-9]{0,3})\\.[0-9]{2}$',
      expects: 'pounds and pence in quotes, like "7.99"',
    }),
    /** In each month. */
    freeAudiobooks: Type.Integer({ minimum: 0, maximum: 12, expects: 'a whole number from 0 to 12' }),
    texts: Type.Optional(
      Type.Array(line(80), { minItems: 1, maxItems: 5, expects: 'a list of one to five lines' }),
    ),
    /** False for one that members have, and nobody joins any more. */
    sold: Type.Optional(Type.Boolean({ expects: 'true or false' })),
  },
  { additionalProperties: false },
)
export type ShopPlan = Static<typeof ShopPlan>

const Percent = Type.Integer({ minimum: 0, maximum: 100, expects: 'a whole number from 0 to 100' })

/** In per cent and included in the price; what is not said stays as it was before that day. */
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
  /** Of ISO 3166-1; without it a shop sells everywhere. */
  countries: Type.Array(Type.String({ expects: 'a country code like "GB"' }), {
    minItems: 1,
    maxItems: 249,
    expects: 'a list of country codes like "GB"',
  }),
}
