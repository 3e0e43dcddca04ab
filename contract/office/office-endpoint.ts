import Type, { type Static, type TSchema } from 'typebox'
import { NullableString } from '../atoms.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Permission } from './permissions.ts'

type Definition = Omit<Endpoint, 'access' | 'part' | 'alsoOutlets' | 'may' | 'fresh'> & {
  readonly path: `/api/office/${string}`
  /** What the caller's role must be allowed to do; null for everybody who is signed in. */
  readonly may: Permission | null
  /**
   * Asks for a passkey that was used within the last five minutes: for calls that move money, change roles or export
   * data.
   */
  readonly fresh?: true
}

/** An endpoint of the office. Its caller is a member of staff, known by the office's cookie. */
export const officeEndpoint = <const D extends Definition>(
  definition: D,
): D & { readonly access: 'staff' } => ({
  ...definition,
  access: 'staff',
})

/** Any JSON object, for what a library defines (WebAuthn). */
export const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/**
 * A page of a list, by keyset: `after` of the next request is this page's `next`. `total` counts all rows that
 * match, and `sums` adds up their amounts; both are left out of `part=rows`.
 */
export const officePage = <R extends TSchema, S extends TSchema>(row: R, sums: S) =>
  Type.Object({
    rows: Type.Array(row),
    next: NullableString,
    total: Type.Optional(Type.Integer({ minimum: 0 })),
    sums: Type.Optional(sums),
  })

/** What every list's query has; each list adds its filters. */
export const LIST_QUERY = {
  after: Type.Optional(Type.String({ maxLength: 400 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  /** A column's key; with a minus in front it descends. */
  sort: Type.Optional(Type.String({ pattern: '^-?[a-zA-Z]{1,30}$' })),
  /** Only the rows, or only the totals: counting a hundred thousand rows takes longer than reading a page. */
  part: Type.Optional(Type.Union([Type.Literal('rows'), Type.Literal('totals')])),
} as const

export type ListQuery = Static<ReturnType<typeof Type.Object<typeof LIST_QUERY>>>
