import { roundedUpWords } from '#contract/messages.ts'
import type { OwnersDetails } from '../../../settings/owners-details.ts'
import { formatPounds } from '../../../format.ts'
import type { LetterOf } from '../letter.ts'

/** The seller, as a receipt names them. */
export interface Seller {
  readonly address: readonly string[]
  readonly vatNumber: string | null
}

export interface OrderLine {
  readonly title: string
  readonly priceMinor: number
  /** The address it was bought for. */
  readonly giftTo?: string
}

export const orderConfirmed: LetterOf<{
  firstName: string
  orderNumber: string
  /** The order's page; null for a visitor. */
  path: string | null
  /** True if something of it is the buyer's own. */
  forOneself?: boolean
  lines: readonly OrderLine[]
  totalMinor: number
  vatMinor: number
  /** The seller, for a mail that is a receipt. */
  seller?: Seller
  /** The code that was used. */
  discount?: { code: string; savedMinor: number; roundedPercent: number | null }
}> = (
  { firstName, orderNumber, path, forOneself = true, lines, totalMinor, vatMinor, discount, seller },
  day,
  shop,
) => ({
  subject: `Your ${shop.name} order ${orderNumber}`,
  heading: `Thank you, ${firstName}`,
  parts: [
    {
      text: `Your order ${orderNumber} is complete.${forOneself ? ' The books you bought for yourself are in your library.' : ''}`,
    },
    {
      rows: [
        ...lines.map(
          ({ title, priceMinor, giftTo }) =>
            [giftTo ? `${title}, a gift for ${giftTo}` : title, formatPounds(priceMinor)] as const,
        ),
        ...(discount ? [[discountWords(discount), formatPounds(discount.savedMinor)] as const] : []),
        // Free orders have no VAT.
        ...(totalMinor > 0 ? [['VAT included', formatPounds(vatMinor)] as const] : []),
        ['Total', formatPounds(totalMinor)],
      ],
    },
    ...(forOneself ? [{ button: 'Open your library', to: '/library' }] : []),
    ...(path === null ? [{ small: receiptOf(shop, seller) }] : [{ button: 'See your receipt', to: path }]),
  ],
})

/** For who has no page of orders. */
function receiptOf(shop: OwnersDetails, written: Seller = { address: [], vatNumber: null }): string {
  const { address = [...written.address, 'United Kingdom'], vatNumber = written.vatNumber } =
    shop.file.seller ?? {}
  return [
    `This mail is your receipt. Sold by ${[shop.seller, ...address].join(', ')}.`,
    ...(vatNumber === null ? [] : [`VAT number ${vatNumber}.`]),
  ].join(' ')
}

export const giftBook: LetterOf<{
  giverName: string
  title: string
  kind: 'audiobook' | 'e-book'
  message?: string
  email: string
  token: string
  /** To be typed where the link opens in another browser. */
  code?: string
}> = ({ giverName, title, kind, message, email, token, code }) => ({
  subject: `${giverName} has given you ${title}`,
  heading: `A gift for you: ${title}`,
  parts: [
    { text: `${giverName} has given you the ${kind} ${title}. It’s yours to keep.` },
    ...(message ? [{ quote: message, by: giverName }] : []),
    {
      button: 'Add it to my library',
      to: `/get-book?email=${encodeURIComponent(email)}&token=${encodeURIComponent(token)}`,
    },
    ...(code ? [{ code, label: 'In the app, enter this code instead:' }] : []),
  ],
})

export const titleRefunded: LetterOf<{
  firstName: string
  orderNumber: string
  /** Names the title that left the library. */
  titles: readonly string[]
  amountMinor: number
}> = ({ firstName, orderNumber, titles, amountMinor }) => ({
  subject: `Your money back for order ${orderNumber}`,
  heading: 'Your money is on its way back',
  parts: [
    { text: `Hello ${firstName}, we’ve refunded ${formatPounds(amountMinor)} of your order ${orderNumber}.` },
    ...(titles.length === 0
      ? []
      : [{ text: `${titles.join(', ')} ${titles.length === 1 ? 'is' : 'are'} no longer in your library.` }]),
    { text: 'Your bank may take a few days.' },
    { button: 'See your orders', to: '/orders' },
  ],
})

/** What stood for the money of a title that goes back without any. */
export type GivenBack =
  | { readonly kind: 'free audiobook'; readonly lastDay: string }
  | { readonly kind: 'card' | 'code' | 'nothing' }

/** To whoever had a title that cost no money: taken with a free audiobook, a code or a card. */
export const titleTakenBack: LetterOf<{
  firstName: string
  titles: readonly string[]
  givenBack: GivenBack
}> = ({ firstName, titles, givenBack }, day) => ({
  subject: `No longer in your library: ${titles.join(', ')}`,
  heading: titles.length === 1 ? 'A title was taken back' : 'Titles were taken back',
  parts: [
    {
      text: `Hello ${firstName}, ${titles.join(', ')} ${titles.length === 1 ? 'is' : 'are'} no longer in your library.`,
    },
    ...(givenBack.kind === 'free audiobook'
      ? [{ text: `You can choose another free audiobook, until ${day(givenBack.lastDay)}.` }]
      : givenBack.kind === 'card'
        ? [{ text: 'The card it came from can be used again.' }]
        : givenBack.kind === 'code'
          ? [{ text: 'Your code can be used again, while it lasts.' }]
          : []),
    { button: 'Open your library', to: '/library' },
  ],
})

/** To somebody who had claimed a gift that was paid back to its giver. */
export const giftWithdrawn: LetterOf<{ title: string }> = ({ title }) => ({
  subject: `A gift was taken back: ${title}`,
  heading: 'A gift was taken back',
  parts: [
    { text: `The payment for ${title}, which you had been given, was returned to the giver.` },
    { text: `${title} is no longer in your library.` },
    { button: 'Open your library', to: '/library' },
  ],
})

const discountWords = ({ code, roundedPercent }: { code: string; roundedPercent: number | null }) =>
  `Saved with code ${code}${roundedPercent === null ? '' : ` (${roundedUpWords(roundedPercent)})`}`
