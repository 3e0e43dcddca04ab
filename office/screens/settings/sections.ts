import type { ShopFile } from '#contract/shop-details.ts'
import type { PlanKey } from '#contract/shop-terms.ts'

/** How a value of `shop.json` is edited. `path` is the path in the file: `mail.sender`. */
export interface SettingField {
  readonly path: string
  readonly label: string
  readonly hint?: string
  /** `links` are lines of a title and an address. A `part` is on unless the file says false. */
  readonly kind?: 'text' | 'long' | 'lines' | 'words' | 'links' | 'number' | 'choice' | 'part' | 'rows'
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** Of `rows`: each is an object with these keys. */
  readonly columns?: readonly SettingField[]
  /** `Add a plan` */
  readonly add?: string
}

export interface SettingSection {
  readonly id: string
  readonly group: string
  readonly title: string
  readonly help: string
  /** The top-level keys of the file that it changes. */
  readonly keys: readonly (keyof ShopFile)[]
  readonly fields: readonly SettingField[]
  /** More words by which the search finds it. */
  readonly words?: string
}

/** Written down again, because the contract's file holds schemas, which stay on the server. */
export const PLANS: readonly PlanKey[] = [
  'supporter-month',
  'supporter-year',
  'reader-month',
  'reader-year',
  'avid-month',
  'avid-year',
  'avid-six-months',
]

const PLAN_OPTIONS = PLANS.map((value) => ({
  value,
  label: `${value.charAt(0).toUpperCase()}${value.slice(1)}`.replaceAll('-', ' '),
}))

const part = (name: string, label: string, hint?: string): SettingField => ({
  path: `parts.${name}`,
  label,
  kind: 'part',
  ...(hint && { hint }),
})

/** Everything that `shop.json` holds (contract/shop-details.ts); a test compares the keys. */
export const SECTIONS: readonly SettingSection[] = [
  {
    id: 'name',
    group: 'The shop',
    title: 'Name and logo',
    help: 'On every page, in emails and on the home screen of a phone.',
    keys: ['name', 'shortName', 'about'],
    words: 'logo icon picture description',
    fields: [
      { path: 'name', label: 'Name' },
      { path: 'shortName', label: 'Under the icon', hint: 'At most 16 letters; without it, the name.' },
      { path: 'about', label: 'In one sentence', kind: 'long' },
    ],
  },
  {
    id: 'colours',
    group: 'The shop',
    title: 'Colours',
    help: 'A colour that’s hard to read is refused, and the nearest readable one offered.',
    keys: ['colours'],
    words: 'look paper accent button links theme brand dark',
    fields: [
      { path: 'colours.paper', label: 'Paper' },
      { path: 'colours.accent', label: 'Links and marks' },
      { path: 'colours.button', label: 'The main button' },
    ],
  },
  {
    id: 'seller',
    group: 'The shop',
    title: 'Seller and VAT number',
    help: 'On receipts and statements.',
    keys: ['seller'],
    words: 'company legal tax receipts address',
    fields: [
      { path: 'seller.name', label: 'Legal name' },
      { path: 'seller.vatNumber', label: 'VAT number' },
      {
        path: 'seller.address',
        label: 'Postal address',
        kind: 'lines',
        hint: 'Line by line, with the country.',
      },
    ],
  },
  {
    id: 'help',
    group: 'The shop',
    title: 'Help and contact',
    help: 'Where customers and bookshops write and ring.',
    keys: ['help', 'zone'],
    words: 'support telephone phone time zone',
    fields: [
      { path: 'help.mail', label: 'Email for customers' },
      { path: 'help.telephone', label: 'Telephone for customers' },
      { path: 'help.bookshopMail', label: 'Email for bookshops' },
      { path: 'help.bookshopTelephone', label: 'Telephone for bookshops' },
      { path: 'zone', label: 'Time zone', hint: 'Of the shop’s calendar, such as Europe/London.' },
    ],
  },
  {
    id: 'plans',
    group: 'What you sell',
    title: 'Plans',
    help: 'Members keep the price they joined at. A plan that has members can’t be removed: take it off sale.',
    keys: ['plans'],
    words: 'membership subscription price monthly yearly benefits tiers',
    fields: [
      {
        path: 'plans',
        label: 'Plans',
        kind: 'rows',
        add: 'Add a plan',
        hint: 'Without any, the shop has the seven usual ones. After a change of a price, run npm run payments:set-up on the server, so that your payment provider has it.',
        columns: [
          { path: 'key', label: 'Which', kind: 'choice', options: PLAN_OPTIONS },
          { path: 'name', label: 'Name' },
          { path: 'price', label: 'Price in pounds', hint: 'Like 7.99' },
          { path: 'freeAudiobooks', label: 'Free audiobooks a month', kind: 'number' },
          { path: 'texts', label: 'Benefits, line by line', kind: 'lines' },
          { path: 'sold', label: 'On sale', kind: 'part' },
        ],
      },
    ],
  },
  {
    id: 'trial',
    group: 'What you sell',
    title: 'Trial and member’s discount',
    help: 'How long the free trial is, of which plan, and what members pay less for titles.',
    keys: ['trial', 'memberDiscount'],
    words: 'free days per cent',
    fields: [
      { path: 'trial.days', label: 'Days of the trial', kind: 'number' },
      { path: 'trial.plan', label: 'Plan of the trial', kind: 'choice', options: PLAN_OPTIONS },
      { path: 'memberDiscount', label: 'Members’ discount in per cent', kind: 'number' },
    ],
  },
  {
    id: 'vat',
    group: 'What you sell',
    title: 'VAT rates',
    help: 'Included in prices, from a day on. Countries without a line have the United Kingdom’s rates.',
    keys: ['vat'],
    words: 'tax country rate per cent ebook audiobook',
    fields: [
      {
        path: 'vat',
        label: 'Rates',
        kind: 'rows',
        add: 'Add rates of a country',
        columns: [
          { path: 'country', label: 'Country', hint: 'Two letters, such as IE' },
          { path: 'from', label: 'From', hint: 'Like 2026-04-01' },
          { path: 'audiobook', label: 'Audiobooks %', kind: 'number' },
          { path: 'ebook', label: 'E-books %', kind: 'number' },
          { path: 'membership', label: 'Memberships %', kind: 'number' },
        ],
      },
    ],
  },
  {
    id: 'countries',
    group: 'What you sell',
    title: 'Countries',
    help: 'Where the shop sells; everywhere if none is named.',
    keys: ['countries'],
    words: 'sell to delivery regions',
    fields: [{ path: 'countries', label: 'Country codes', kind: 'words', hint: 'Such as GB IE FR.' }],
  },
  {
    id: 'parts',
    group: 'What you sell',
    title: 'Parts',
    help: 'What’s off has no page, no menu entry and no email. What was sold before is honoured.',
    keys: ['parts'],
    words: 'features switch off on memberships christmas paypal',
    fields: [
      part('membership', 'Membership', 'Off with audiobooks'),
      part('trial', 'Free trial'),
      part('membershipGifts', 'Giving memberships'),
      part('christmas', 'Christmas page'),
      part('cards', 'Cards for bookshops'),
      part('journal', 'Journal'),
      part('editions', 'Editions'),
      part('audiobooks', 'Audiobooks'),
      part('eBooks', 'E-books'),
      part('payPal', 'PayPal'),
    ],
  },
  {
    id: 'emails',
    group: 'What people read',
    title: 'Emails',
    help: 'Whom they are from, and where answers go.',
    keys: ['mail'],
    words: 'sender from reply address',
    fields: [
      { path: 'mail.sender', label: 'From' },
      { path: 'mail.replyTo', label: 'Answers go to', hint: 'If that is another address.' },
    ],
  },
  {
    id: 'newsletter',
    group: 'What people read',
    title: 'Newsletter and journal',
    help: 'What they are called, and what the newsletter promises.',
    keys: ['newsletter', 'journal'],
    fields: [
      { path: 'newsletter.title', label: 'Newsletter' },
      { path: 'newsletter.often', label: 'How often', hint: 'Such as “once a month”.' },
      { path: 'newsletter.words', label: 'What it promises', kind: 'long' },
      { path: 'journal', label: 'Journal' },
    ],
  },
  {
    id: 'banner',
    group: 'What people read',
    title: 'Banner',
    help: 'One line above the home page.',
    keys: ['banner'],
    words: 'announcement notice line top',
    fields: [
      { path: 'banner.words', label: 'Words' },
      { path: 'banner.link', label: 'Words of its link' },
      { path: 'banner.url', label: 'Where it leads', hint: 'Like /browse' },
    ],
  },
  {
    id: 'footer',
    group: 'What people read',
    title: 'Footer and social networks',
    help: 'Columns of links at the end of every page; they replace those of the menus.',
    keys: ['footer', 'social'],
    words: 'menu links columns mastodon instagram',
    fields: [
      {
        path: 'footer',
        label: 'Columns',
        kind: 'rows',
        add: 'Add a column',
        columns: [
          { path: 'title', label: 'Heading' },
          { path: 'links', label: 'Links, line by line', kind: 'links', hint: 'Like: Terms of sale /terms' },
        ],
      },
      {
        path: 'social',
        label: 'Where else you are',
        kind: 'links',
        hint: 'Line by line, like: Mastodon https://…',
      },
    ],
  },
]
