import type { CalendarEntry } from '../../print/calendar-file.ts'
import type { OwnersDetails } from '../../settings/owners-details.ts'
import type { MailCover } from './cover-queries.ts'

/** All texts are plain; `render.ts` escapes them. */
export interface EmailContent {
  readonly subject: string
  readonly heading: string
  readonly parts: readonly Part[]
  /** For subscriptions: the address for one-click unsubscribe (RFC 8058). */
  readonly unsubscribe?: string
  /** Attached as an .ics file; `path` is the event's page. */
  readonly calendar?: Omit<CalendarEntry, 'url'> & { readonly path: string }
}

export type Part =
  | { readonly text: string }
  | { readonly title: string }
  /** Links to a path in the shop or to a full URL. */
  | { readonly button: string; readonly to: string }
  /** To type if the link would open in another browser. */
  | { readonly code: string; readonly label: string }
  | { readonly rows: readonly (readonly [label: string, value: string])[] }
  | { readonly quote: string; readonly by?: string }
  | { readonly small: string }
  /** At most four are shown. `inWords`: the plain text lists them, because nothing else names them. */
  | { readonly covers: readonly MailCover[]; readonly inWords?: boolean }

/** @param day formats an instant's day in the shop's time zone: `25th December 2026` */
export type EmailTemplate<Data> = (
  data: Data,
  day: (iso: string) => string,
  shop: OwnersDetails,
) => EmailContent

/** The maximum length of a name, so that it cannot be a message. */
const LONGEST = 40
/** Fields of an email's data that contain names, and the replacement if nothing of the name is left. */
const NAMES: Readonly<Record<string, string>> = { firstName: 'reader', giverName: 'A friend' }

/** Anyone can cause an email to any address, so a name must be short and without links. */
export function withPlainNames(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  const plain: Record<string, unknown> = { ...data }
  for (const [field, nobody] of Object.entries(NAMES))
    if (typeof plain[field] === 'string') plain[field] = plainName(plain[field]) || nobody
  return plain
}

/** Removes addresses from a message, so that nothing in it becomes a link; words and lines stay. */
export const withoutLinks = (message: string): string =>
  message.replaceAll(LINK, '…').replaceAll(NAME_OF_A_SITE, '. ')

const LINK = /\S*(?:[a-z]:\/\/|mailto:|tel:|[\p{L}\p{N}]@[\p{L}\p{N}]|\.\p{L}{2,}\/)\S*/giu
/** Email clients turn `evil.example` into a link, but not `evil. example`. */
const NAME_OF_A_SITE = /\.(?=\p{L}{2})/gu

function plainName(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !/[:/\\@<>]/.test(word))
  const unlinked = words.join(' ').replaceAll(NAME_OF_A_SITE, '. ')
  const letters = Array.from(unlinked)
  return letters.length <= LONGEST
    ? unlinked
    : `${letters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`
}
