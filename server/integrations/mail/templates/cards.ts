import { formatPounds } from '../../../format.ts'
import type { EmailTemplate } from '../template.ts'

export const cardReceipt: EmailTemplate<{ title: string; ending: string; priceMinor: number }> = ({
  title,
  ending,
  priceMinor,
}) => ({
  subject: `Your card for ${title}`,
  heading: 'Your audiobook card is ready',
  parts: [
    {
      text: 'Thank you for buying a card at your bookshop. Whoever you give it to redeems it with the code inside.',
    },
    {
      rows: [
        [title, formatPounds(priceMinor)],
        ['Card ending in', ending],
      ],
    },
    { button: 'Redeem a card', to: '/redemption' },
    { text: 'Paid at the till. We use this address for this receipt and nothing else.' },
  ],
})

export const cardTakenBack: EmailTemplate<{ ending: string }> = ({ ending }) => ({
  subject: `Card ending ${ending} was taken back`,
  heading: 'Your card was taken back',
  parts: [
    {
      text: `The bookshop took the card ending in ${ending} back, so its code no longer opens anything. If that’s a surprise, please ask at the till.`,
    },
  ],
})

export const outletStatement: EmailTemplate<{
  outlet: string
  number: string
  month: string
  cards: number
  soldMinor: number
  owedMinor: number
  commissionMinor: number
  toPayMinor: number
  dueOn: string
}> = (
  { outlet, number, month, cards, soldMinor, owedMinor, commissionMinor, toPayMinor, dueOn },
  day,
  shop,
) => ({
  subject: `${shop.name} statement ${number} for ${month}`,
  heading: `${month} at ${outlet}`,
  parts: [
    {
      rows: [
        ['Cards', String(cards)],
        ['Sold at the till', formatPounds(soldMinor)],
        [`${shop.name}’s share, VAT included`, formatPounds(owedMinor)],
        ['Commission on later purchases', formatPounds(-commissionMinor)],
        [toPayMinor < 0 ? 'We pay you' : 'To pay', formatPounds(Math.abs(toPayMinor))],
      ],
    },
    { text: toPayMinor > 0 ? `Please pay by ${dueOn}.` : 'There is nothing to pay this time.' },
    { button: 'Open your desk', to: '/activation' },
    { text: 'The PDF and the CSV file are at your desk, with a line for each card.' },
  ],
})

export const outletReminder: EmailTemplate<{
  number: string
  month: string
  toPayMinor: number
  dueOn: string
  isLate: boolean
}> = ({ number, month, toPayMinor, dueOn, isLate }, _day, shop) => ({
  subject: `${shop.name} statement ${number}: ${formatPounds(toPayMinor)} to pay`,
  heading: isLate ? 'A statement that waits for you' : 'A statement to pay soon',
  parts: [
    {
      text: isLate
        ? `We haven’t seen your payment for ${month} yet. It was due by ${dueOn}. If you have paid in the last days, please ignore this.`
        : `A reminder of your statement for ${month}. Please pay by ${dueOn}.`,
    },
    {
      rows: [
        ['Statement', number],
        ['To pay', formatPounds(toPayMinor)],
      ],
    },
    { button: 'Open your desk', to: '/activation' },
    { text: 'The PDF and the CSV file are at your desk, with a line for each card.' },
  ],
})

export const cardAdditions: EmailTemplate<{
  month: string
  titles: readonly { title: string; priceMinor: number }[]
}> = ({ month, titles }) => ({
  subject: `New cards in ${month}`,
  heading: `New as cards in ${month}`,
  parts: [
    { rows: titles.map(({ title, priceMinor }) => [title, formatPounds(priceMinor)] as const) },
    { button: 'See them at your desk', to: '/activation' },
  ],
})

export interface StarterPack {
  shopName: string
  town: string
  packs: number
  bookshopMail: string
}

const packRows = ({ shopName, town, packs }: StarterPack) =>
  [
    ['Bookshop', shopName],
    ['Town', town],
    ['Starter packs', String(packs)],
  ] as const

/** To the owner. `id` is the beginning of the request's id, for the command. */
export const starterPackAsked: EmailTemplate<StarterPack & { contact: string; email: string; id: string }> = (
  asked,
) => ({
  subject: `A starter pack for ${asked.shopName}`,
  heading: 'A bookshop would like to sell your cards',
  parts: [
    { rows: [...packRows(asked), ['Name', asked.contact], ['Email', asked.email]] },
    { text: 'The address isn’t confirmed. Write to it to agree where the cards go.' },
    {
      small: `It’s on your to-do list too. When the cards are on their way: npm run outlets -- packs --done ${asked.id}`,
    },
  ],
})

export const starterPackReceived: EmailTemplate<StarterPack> = (asked, _day, shop) => ({
  subject: 'Your starter pack of cards',
  heading: 'Thank you for asking',
  parts: [
    {
      text: `${shop.name} has your request. We’ll write to you about where to send the cards, and you pay nothing for them.`,
    },
    { rows: packRows(asked) },
    { small: `If something here is wrong, or it wasn’t you who asked, write to ${asked.bookshopMail}.` },
  ],
})
