import Type, { type Static, type TSchema } from 'typebox'

/** `type: [x, 'null']` instead of a union keeps the compiled serialiser fast. */
export const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] })
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })

export const Uuid = Type.String({ format: 'uuid' })
export const Slug = Type.String({ pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 160 })
/** Pounds in requests and responses: 14.99. The server calculates in integer pence. */
export const Pounds = Type.Number({ minimum: 0 })
/** An instant in UTC, ISO 8601. */
export const Instant = Type.String({ format: 'date-time' })
/** A calendar date, `2021-03-01`. */
export const CalendarDate = Type.String({ format: 'date' })

/**
 * Excludes line breaks, bidirectional controls and invisible characters. Allows joiners, which many languages need
 * within words.
 */
export const ONE_LINE = '^(?:[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]|[\\u200c\\u200d])*$'
/** Like `ONE_LINE`, with at least one visible character. */
export const VISIBLE_LINE = ONE_LINE.replace('^', '^(?=.*[^\\s\\p{Cf}\\u115f\\u1160\\u2800\\u3164\\uffa0])')

export const visibleLine = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: VISIBLE_LINE })

/** Excludes markup, web addresses and email addresses, which could be abused in a name that we email. */
const NO_LINK = '(?!.*(?:[<>@]|://|www\\.))'
export const NAME_OR_NOTHING = ONE_LINE.replace('^', `^${NO_LINK}`)
export const PERSON_NAME = VISIBLE_LINE.replace('^', `^${NO_LINK}`)

/** Email addresses are case-insensitive; the server lower-cases them. */
export const Email = Type.String({ format: 'email', maxLength: 254 })

/** Integers given as repeated parameters or comma-separated: `styles[]=1,2` (docs/product.md, Calls). */
export const Ids = Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), { maxItems: 200 })

/** `page` and `_page` are the same parameter (OP-56). */
export const paging = (itemsPerPage: number, maximum = 200) => ({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  _page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  itemsPerPage: Type.Optional(Type.Integer({ minimum: 1, maximum, default: itemsPerPage })),
})

export const embedded = <const T extends string, P extends Record<string, TSchema>>(type: T, properties: P) =>
  Type.Object({ '@id': Type.String(), '@type': Type.Literal(type), ...properties })
