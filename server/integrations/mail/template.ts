import type { OwnersDetails } from '../../settings/owners-details.ts'

/** The content of an email. All texts are plain; `render.ts` escapes them. */
export interface EmailContent {
  readonly subject: string
  readonly heading: string
  readonly parts: readonly Part[]
  /** For subscriptions: the address for one-click unsubscribe (RFC 8058). */
  readonly unsubscribe?: string
}

export type Part =
  | { readonly text: string }
  /** A heading between paragraphs. */
  | { readonly title: string }
  /** Links to a path in the shop or to a full URL. */
  | { readonly button: string; readonly to: string }
  /** To type if the link would open in another browser. */
  | { readonly code: string; readonly label: string }
  /** Names and amounts, the total last. */
  | { readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly quote: string; readonly by?: string }
  | { readonly small: string }

/** @param day formats an instant's day in the shop's time zone: `25th December 2026` */
export type EmailTemplate<Data> = (
  data: Data,
  day: (iso: string) => string,
  shop: OwnersDetails,
) => EmailContent
