import { roundedUpWords } from '#contract/messages.ts'
import type { OwnersDetails } from '../../../settings/owners-details.ts'
import { formatPounds } from '../../../format.ts'
import type { MailCover } from '../cover-queries.ts'
import type { EmailTemplate } from '../template.ts'
import { giverPath } from './membership-gifts.ts'

export interface Seller {
  readonly address: readonly string[]
  readonly vatNumber: string | null
}

export interface OrderLine {
  readonly title: string
  readonly priceMinor: number
  readonly giftTo?: string
  /** `25th December 2026`, for a gift that waits for its day. */
  readonly giftOn?: string
}

export const orderConfirmed: EmailTemplate<{
  firstName: string
  orderNumber: string
  path: string | null
  /** True if the buyer keeps some of the titles. */
  forOneself?: boolean
  /** The number of books given to others. If it is one, `giverToken` opens the gift for its giver without a log-in. */
  booksGiven?: number
  giverToken?: string
  /** A wallet paid, so the account has no password. */
  withoutPassword?: true
  lines: readonly OrderLine[]
  covers?: readonly MailCover[]
  totalMinor: number
  vatMinor: number
  seller?: Seller
  discount?: { code: string; savedMinor: number; roundedPercent: number | null }
}> = (
  {
    firstName,
    orderNumber,
    path,
    forOneself = true,
    booksGiven = 0,
    giverToken,
    withoutPassword,
    lines,
    covers = [],
    totalMinor,
    vatMinor,
    discount,
    seller,
  },
  day,
  shop,
) => ({
  subject: `Your ${shop.name} order ${orderNumber}`,
  heading: `Thank you, ${firstName}`,
  parts: [
    {
      text: `Your order ${orderNumber} is complete.${forOneself ? ' The books you bought for yourself are in your library.' : ''}`,
    },
    { covers },
    {
      rows: [
        ...lines.map(
          ({ title, priceMinor, giftTo, giftOn }) =>
            [
              giftTo ? `${title}, a gift for ${giftTo}${giftOn ? ` on ${giftOn}` : ''}` : title,
              formatPounds(priceMinor),
            ] as const,
        ),
        ...(discount ? [[discountWords(discount), formatPounds(discount.savedMinor)] as const] : []),
        ...(totalMinor > 0 ? [['VAT included', formatPounds(vatMinor)] as const] : []),
        ['Total', formatPounds(totalMinor)],
      ],
    },
    ...(forOneself ? [{ button: 'Open your library', to: '/library' }] : []),
    ...(booksGiven > 0
      ? [
          {
            text: `${giftsWords(booksGiven, lines)} opened you can correct the address, send it again or, within 14 days${lines.some(({ giftOn }) => giftOn) ? ' of its day' : ''}, take it back and get its money back.`,
          },
          {
            button: booksGiven === 1 ? 'See your gift' : 'See your gifts',
            to: giverPath(giverToken),
          },
          // Works without a log-in, unlike the button above.
          { button: 'Withdraw from contract here', to: `/withdraw?order=${encodeURIComponent(orderNumber)}` },
        ]
      : []),
    ...(withoutPassword
      ? [
          { text: 'Your account has no password yet. Choose one, and you can log in on any device.' },
          { button: 'Choose a password', to: '/forgot-password' },
        ]
      : []),
    ...(path === null ? [{ small: receiptOf(shop, seller) }] : [{ button: 'See your receipt', to: path }]),
  ],
})

function giftsWords(given: number, lines: readonly OrderLine[]): string {
  const days = lines.flatMap(({ giftOn }) => giftOn ?? [])
  if (given === 1) return `Your gift ${days[0] ? `arrives on ${days[0]}` : 'is on its way'}. Until it’s`
  return `Your gifts ${days.length > 0 ? 'arrive on their days' : 'are on their way'}. Until one is`
}

function receiptOf(shop: OwnersDetails, written: Seller = { address: [], vatNumber: null }): string {
  const { address = [...written.address, 'United Kingdom'], vatNumber = written.vatNumber } =
    shop.file.seller ?? {}
  return [
    `This email is your receipt. Sold by ${[shop.seller, ...address].join(', ')}.`,
    ...(vatNumber === null ? [] : [`VAT number ${vatNumber}.`]),
  ].join(' ')
}

export const giftBook: EmailTemplate<{
  giverName: string
  title: string
  kind: 'audiobook' | 'e-book'
  message?: string
  email: string
  token: string
  code?: string
  covers?: readonly MailCover[]
}> = ({ giverName, title, kind, message, email, token, code, covers = [] }) => ({
  subject: `${giverName} has given you ${title}`,
  heading: `A gift for you: ${title}`,
  parts: [
    { covers },
    { text: `${giverName} has given you the ${kind} ${title}. It’s yours to keep.` },
    ...(message ? [{ quote: message, by: giverName }] : []),
    {
      button: 'Add it to my library',
      to: `/get-book?email=${encodeURIComponent(email)}&token=${encodeURIComponent(token)}`,
    },
    ...(code ? [{ code, label: 'In the app, enter this code instead:' }] : []),
  ],
})

export const giftBookOpened: EmailTemplate<{
  title: string
  recipient: string
  covers?: readonly MailCover[]
}> = ({ title, recipient, covers = [] }) => ({
  subject: `${recipient} has opened your gift`,
  heading: 'Your gift has been opened',
  parts: [{ covers }, { text: `${recipient} has opened your gift, ${title}. Well chosen.` }],
})

export const giftBookThanks: EmailTemplate<{
  title: string
  recipient: string
  message: string
  covers?: readonly MailCover[]
}> = ({ title, recipient, message, covers = [] }) => ({
  subject: `${recipient} says thank you`,
  heading: 'A thank you for your gift',
  parts: [{ covers }, { text: `For ${title}:` }, { quote: message, by: recipient }],
})

export const giftBookFailed: EmailTemplate<{ title: string; email: string; giverToken: string }> = ({
  title,
  email,
  giverToken,
}) => ({
  subject: 'Your gift couldn’t be delivered',
  heading: 'Your gift couldn’t be delivered',
  parts: [
    { text: `We couldn’t deliver ${title} to ${email}: the address doesn’t accept our email.` },
    { text: 'Nothing is lost. Correct the address and we’ll send it again.' },
    { button: 'Correct the address', to: giverPath(giverToken) },
  ],
})

export const titleRefunded: EmailTemplate<{
  firstName: string
  orderNumber: string
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

/** A dispute is not our refund, so the text must not read like one. */
export const paymentDisputed: EmailTemplate<{
  firstName: string
  orderNumber: string
  amountMinor: number
  outcome: 'open' | 'won' | 'lost'
  titles: readonly string[]
  plan: string | null
}> = ({ firstName, orderNumber, amountMinor, outcome, titles, plan }) => {
  const sum = formatPounds(amountMinor)
  const names = titles.join(', ')
  const are = titles.length === 1 ? 'is' : 'are'
  if (outcome === 'open')
    return {
      subject: `Your bank has a question about order ${orderNumber}`,
      heading: 'Your bank is looking into a payment',
      parts: [
        {
          text: `Hello ${firstName}, your bank has asked about ${sum} of your order ${orderNumber}. It decides whether the payment stands, which can take some weeks. We haven’t refunded anything.`,
        },
        ...(plan ? [{ text: `Until then your membership (${plan}) rests.` }] : []),
        ...(titles.length > 0 ? [{ text: `Until then ${names} ${are} not in your library.` }] : []),
        { text: 'If you know the payment and asked by mistake, please tell your bank.' },
        { button: 'See your orders', to: '/orders' },
      ],
    }
  if (outcome === 'won')
    return {
      subject: `Your payment for order ${orderNumber} stands`,
      heading: 'Your bank has decided',
      parts: [
        {
          text: `Hello ${firstName}, your bank has decided that your payment of ${sum} for order ${orderNumber} stands.`,
        },
        ...(plan ? [{ text: `Your membership (${plan}) goes on as before.` }] : []),
        ...(titles.length > 0 ? [{ text: `${names} ${are} back in your library.` }] : []),
        { button: 'See your orders', to: '/orders' },
      ],
    }
  return {
    subject: `Your bank has paid you back for order ${orderNumber}`,
    heading: 'Your bank has decided',
    parts: [
      {
        text: `Hello ${firstName}, your bank has decided in your favour and gives you back ${sum} of your order ${orderNumber}. The money comes from your bank.`,
      },
      ...(plan
        ? [{ text: `Your membership (${plan}) has ended. What you took into your library stays there.` }]
        : []),
      ...(titles.length > 0 ? [{ text: `${names} ${are} no longer in your library.` }] : []),
      { button: 'See your orders', to: '/orders' },
    ],
  }
}

export type GivenBack =
  | { readonly kind: 'free audiobook'; readonly lastDay: string }
  | { readonly kind: 'card' | 'code' | 'nothing' }

export const titleTakenBack: EmailTemplate<{
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
      ? [{ text: `You can choose another free audiobook until ${day(givenBack.lastDay)}.` }]
      : givenBack.kind === 'card'
        ? [{ text: 'The card it came from can be used again.' }]
        : givenBack.kind === 'code'
          ? [{ text: 'Your code can be used again, while it lasts.' }]
          : []),
    { button: 'Open your library', to: '/library' },
  ],
})

/** To the recipient: the payment was refunded or is disputed. Emails of an earlier release have no `dispute`. */
export const giftWithdrawn: EmailTemplate<{ title: string; dispute?: 'open' | 'won' | 'lost' | null }> = ({
  title,
  dispute,
}) => (dispute === 'open' ? giftOnHold(title) : dispute === 'won' ? giftIsBack(title) : giftTakenBack(title))

const giftOnHold = (title: string) => ({
  subject: `Your gift is on hold: ${title}`,
  heading: 'A bank is looking into the payment',
  parts: [
    {
      text: `A bank is looking into the payment for ${title}, which you had been given. Until it has decided, ${title} is not in your library. We’ll write to you then; your places and notes are kept.`,
    },
    { button: 'Open your library', to: '/library' },
  ],
})

const giftIsBack = (title: string) => ({
  subject: `Your gift is back: ${title}`,
  heading: 'The bank has decided',
  parts: [
    { text: `The payment for ${title} stands, so it’s back in your library, where you left off.` },
    { button: 'Open your library', to: '/library' },
  ],
})

const giftTakenBack = (title: string) => ({
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
