import { readFileSync, writeFileSync } from 'node:fs'
import { ShopFile } from '#contract/shop-details.ts'
import { BookFile } from '../importer/book-file.ts'

/** The part of JSON Schema that the two schemas use. */
interface Schema {
  readonly type?: string
  readonly expects?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

const plain = (schema: object): Schema => JSON.parse(JSON.stringify(schema))

interface Reference {
  readonly document: string
  readonly schema: Schema
  readonly head: string
  /** What each key means, by its path: `plans[].price`. */
  readonly meanings: Readonly<Record<string, string>>
}

const SHOP: Reference = {
  document: 'docs/operations/shop-json.md',
  schema: plain(ShopFile),
  head: `# shop.json

The file in \`DATA_DIR\` that says whose shop it is and what it sells. [Configuration](configuration.md) explains it with
examples; \`npm run new-shop -- --check\` names mistakes by line. Unknown keys are errors.`,
  meanings: {
    name: 'the shop’s name',
    shortName: 'the name below the app’s icon on a phone; without it, `name`',
    about: 'one sentence for the end of every page, the app and the feeds',
    logo: 'drawn in the text colour of the page; only its shape counts',
    icon: 'the app’s icon, square, at least 512 pixels wide; without it, the first letter of the name',
    'colours.paper': 'the background by day',
    'colours.accent': 'links and marks',
    'colours.button': 'the main button',
    'mail.sender': 'the address that emails come from',
    'mail.replyTo': 'where replies go, if that is another address',
    'seller.name': 'the legal name, for receipts and statements',
    'seller.address': 'the postal address, with the country',
    'seller.vatNumber': 'the VAT number, for receipts',
    'help.mail': 'the address for customers who need help',
    'help.telephone': 'the number for customers who need help',
    'help.bookshopMail': 'the address for bookshops',
    'help.bookshopTelephone': 'the number for bookshops',
    'footer[].title': 'the heading of a column of links; the columns replace those of `menus.json`',
    'footer[].links[].title': 'the text of a link',
    'footer[].links[].url': 'where it leads',
    'social[].title': 'the name of a social network',
    'social[].url': 'your page there',
    'banner.words': 'the text of the line above the home page',
    'banner.link': 'the text of its link',
    'banner.url': 'where it leads',
    'newsletter.title': 'the newsletter’s name',
    'newsletter.words': 'what it promises',
    'newsletter.often': 'how often it comes, such as “once a month”',
    journal: 'the journal’s name',
    'parts.membership':
      'false switches memberships off, and with them `trial`, `membershipGifts` and `christmas`',
    'parts.trial': 'false switches the free trial off',
    'parts.membershipGifts': 'false switches giving memberships off, and with it `christmas`',
    'parts.christmas': 'false switches the Christmas page off',
    'parts.cards': 'false switches audiobook cards and the pages for bookshops off',
    'parts.journal': 'false switches the journal off',
    'parts.editions': 'false switches the page of editions off',
    'parts.audiobooks': 'false switches audiobooks off, and with them `membership`, `cards` and `editions`',
    'parts.eBooks': 'false switches e-books off',
    'parts.payPal': 'false switches PayPal off',
    zone: 'the time zone of the shop’s calendar; takes precedence over `SHOP_ZONE`',
    'plans[].key': 'which plan it is: its interval and tier',
    'plans[].name': 'its name; the same for all plans of a tier',
    'plans[].price': 'its price for one interval, VAT included',
    'plans[].freeAudiobooks': 'free audiobooks a month',
    'plans[].texts': 'its benefits; the first is in bold',
    'plans[].sold': 'false if nobody can join it any more and its members keep it',
    'trial.days': 'the length of the free trial',
    'trial.plan':
      'the plan that can be tried; without it, `reader-month` or the first plan that can be joined',
    memberDiscount: 'the members’ discount on titles, in per cent',
    'vat.COUNTRY[].from': 'the day from which these rates count, in the shop’s time zone',
    'vat.COUNTRY[].audiobook': 'the rate of audiobooks, in per cent; without it, as before that day',
    'vat.COUNTRY[].ebook': 'the rate of e-books',
    'vat.COUNTRY[].membership': 'the rate of memberships',
    countries: 'the countries that the shop sells to; without it, all',
  },
}

const BOOK: Reference = {
  document: 'docs/operations/book-json.md',
  schema: plain(BookFile),
  head: `# book.json

A title’s file, in its folder. It adds what sound, text and other metadata files don’t say, and takes precedence over
them; [titles](titles.md) has examples. Every key is optional, and unknown keys are errors.`,
  meanings: {
    slug: 'the title’s address, `/book/SLUG`; without it, derived from the title',
    title: 'the title',
    authors: 'the authors',
    translator: 'the translator',
    publisher: 'the publisher',
    'publisher.slug': 'the publisher’s address',
    'publisher.name': 'the publisher’s name',
    'publisher.about': 'a text about the publisher',
    'publisher.website': 'the publisher’s website',
    language: 'the language, as a name or a code',
    style: 'the style, by which lists can be filtered',
    category: 'the category',
    locations: 'where the story takes place',
    tags: 'the subjects',
    'series[].name': 'the name of a series; cards show the first series',
    'series[].number': 'the number in the series, as printed',
    'series[].published': 'the position by date of publication, where it differs from the number',
    'series[].story': 'the position in the story, where it differs from the number',
    'series[].slug': 'tells apart two series with the same name',
    summary: 'the description; an empty line begins a paragraph',
    sampleText: 'a text sample',
    'bookseller.words': 'what one of the shop’s booksellers says about it',
    'bookseller.name': 'who that is',
    firstPublished: 'the day of first publication',
    'colours.background':
      'the background of the title’s page; without colours, they are derived from the title',
    'colours.container': 'the panels on that page',
    'colours.text': 'the text on that page',
    'colours.accents': 'further colours for the drawn cover',
    violence: 'true if the title contains violence',
    state: 'whether it is visible and sold; without it, `on-sale`',
    published: 'false means `"state": "listed"`',
    preorder: 'the release date of an announced title; it isn’t sold before its files are imported',
    embargoed: 'true while it is under embargo: it is in no list',
    blockedCountries: 'countries in which the title isn’t sold',
    edition: 'true if it belongs to the editions',
    currentHighlight: 'true if members can choose it with a free audiobook',
    memoir: 'true if it belongs to the memoirs',
    writersDilemma: 'true if it belongs to that list',
    featuredPosition: 'the position among the featured titles of the home page',
    'publisherBook.link': 'the printed book at its publisher',
    'publisherBook.name': 'the text of that link',
    metaDescription: 'the description for search engines',
    metaKeywords: 'keywords for search engines',
    'audiobook.price': 'the price; `"0.00"` is free, and without a price it isn’t sold',
    'audiobook.memberPrice': 'the price for members, instead of the members’ discount',
    'audiobook.isbn': 'the ISBN of the audiobook',
    'audiobook.narrators': 'the narrators',
    'audiobook.lengthHours': 'the length in whole hours; without it, measured',
    'audiobook.lengthMin': 'the minutes of the length',
    'audiobook.spiSIN':
      'the number in the address of the page where its cards are redeemed, `/redemption/NUMBER`',
    'audiobook.availableAsCard': 'true if it is sold as an audiobook card',
    'audiobook.hideDownload': 'true if the zip isn’t offered',
    'audiobook.chapters[].file': 'the file of a chapter, in the order in which the chapters are heard',
    'audiobook.chapters[].title': 'the name of the chapter',
    'audiobook.sample': 'the file of the free sample; without it, `sample.mp3` or `sample.m4a`',
    'audiobook.withoutFile': 'true if it is sold although the shop has no sound',
    'ebook.price': 'the price; `"0.00"` is free, and without a price it isn’t sold',
    'ebook.memberPrice': 'the price for members, instead of the members’ discount',
    'ebook.isbn': 'the ISBN of the e-book',
    'ebook.pages': 'the number of pages',
    'ebook.file': 'the EPUB, if the folder has several',
    'ebook.madeAfterPurchase': 'true if the e-book is made for each buyer',
    'ebook.withoutFile': 'true if it is sold although the shop has no text',
    'ebook.downloadable': 'false if buyers can only read it in the app',
    'ebook.chapterTitles': 'for tools that make the e-book; the shop does not read it',
  },
}

export const REFERENCES: readonly Reference[] = [SHOP, BOOK]

/**
 * The Markdown document of a schema.
 *
 * @throws {Error} if a key has no meaning, or a meaning has no key
 */
export function referenceOf({ schema, head, meanings }: Reference): string {
  const rows = [...keysOf(schema, '', meanings)]
  const unknown = Object.keys(meanings).filter((path) => !rows.some((row) => row.path === path))
  if (unknown.length > 0) throw new Error(`The schema has no ${unknown.join(', ')}.`)
  const table = rows.map(
    ({ path, value, isRequired }) =>
      `| \`${path}\`${isRequired ? ' (required)' : ''} | ${value} | ${meanings[path]} |`,
  )
  return `${head}

\`a.b\` is the key \`b\` in the object \`a\`; \`[]\` stands for each entry of a list.

| Key | Value | Meaning |
|---|---|---|
${table.join('\n')}
`
}

function* keysOf(
  schema: Schema,
  prefix: string,
  meanings: Readonly<Record<string, string>>,
): Generator<{ path: string; value: string; isRequired: boolean }> {
  const named = Object.entries(schema.properties ?? {})
  const others = Object.values(schema.patternProperties ?? {}).map((each) => ['COUNTRY', each] as const)
  for (const [key, inner] of [...named, ...others]) {
    const path = `${prefix}${key}`
    const list = inner.type === 'array' ? inner.items : undefined
    const nested = list ?? inner
    const hasKeys = nested.properties !== undefined || nested.patternProperties !== undefined
    if (!hasKeys || path in meanings) {
      if (!(path in meanings)) throw new Error(`${path} has no meaning in tools/file-reference.ts.`)
      yield { path, value: valueOf(inner), isRequired: schema.required?.includes(key) ?? false }
    }
    // A person or a publisher may be a plain name, so their keys are described only where meanings has them.
    if (hasKeys && (!(path in meanings) || Object.keys(meanings).some((each) => each.startsWith(`${path}.`))))
      yield* keysOf(nested, `${path}${list ? '[]' : ''}.`, meanings)
  }
}

function valueOf({ expects, type, items, maxLength, minimum, maximum }: Schema): string {
  if (expects !== undefined) return expects
  if (type === 'array') return items?.expects ? `a list, each ${items.expects}` : 'a list of texts'
  if (type === 'boolean') return 'true or false'
  if (type === 'integer' || type === 'number')
    return `${type === 'integer' ? 'a whole number' : 'a number'} from ${minimum} to ${maximum}`
  return maxLength === undefined ? 'text' : `text of at most ${maxLength.toLocaleString('en-GB')} letters`
}

export const storedReference = ({ document }: Reference): string => readFileSync(document, 'utf8')

if (import.meta.main)
  for (const reference of REFERENCES) writeFileSync(reference.document, referenceOf(reference))
