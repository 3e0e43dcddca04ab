import type { OwnersDetails } from '../../settings/owners-details.ts'

/**
 * The content of a mail, written once: `html.ts` and `plain.ts` make its two forms. All texts are plain and escaped
 * there.
 */
export interface Letter {
  readonly subject: string
  readonly heading: string
  readonly parts: readonly Part[]
  /** For mail that somebody subscribed to: the address that ends it with one press (RFC 8058). */
  readonly unsubscribe?: string
}

export type Part =
  | { readonly text: string }
  /** A heading between paragraphs. */
  | { readonly title: string }
  /** An address of the shop or a full one. */
  | { readonly button: string; readonly to: string }
  /** To be typed where the link would open in another browser. */
  | { readonly code: string; readonly label: string }
  /** Names and amounts, the total last. */
  | { readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly quote: string; readonly by?: string }
  | { readonly small: string }

/** @param day an instant's day where the shop is, `25th December 2026` */
export type LetterOf<Data> = (data: Data, day: (iso: string) => string, shop: OwnersDetails) => Letter
