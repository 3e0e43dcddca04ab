import sanitize from 'sanitize-html'
import type { Format } from '../found.ts'
import { richText } from '#server/features/catalogue/rich-text.ts'
import * as read from './cells.ts'
import type { Entry } from './entry.ts'
import { RowRefused, Notes } from './notes.ts'
import { cataloguePerson, eachOnce } from './people-names.ts'
import { accessibilityOfOnix } from '../accessibility.ts'
import { isbnOf } from './isbn.ts'
import { keptTags, NO_PRICE, type OfAll, titleOf } from './words.ts'
import type { XmlNode } from '../xml.ts'
import { type FoundSeries, givenSeries } from '#server/features/catalogue/series-names.ts'

export const nameOfProduct = (product: XmlNode | undefined): string =>
  product ? line(product.text('RecordReference')) : ''

/** @throws `RowRefused` */
export function entryOfProduct(product: XmlNode | undefined, { priceMinor }: OfAll = {}): Entry {
  if (!product) throw new RowRefused('not XML', 'The product is not well-formed XML.')
  const notes = new Notes()
  if (product.text('NotificationType') === '05')
    throw new RowRefused(
      'asks to be deleted',
      'The record asks to be deleted, but the shop never takes away a title that somebody may own. Unpublish it by hand.',
    )
  const detail = product.all('DescriptiveDetail')[0] ?? product
  const publishing = product.all('PublishingDetail')[0] ?? product
  const format = formatOf(detail.text('ProductForm'))
  const isbn = isbnOf(productNumber(product))
  const price = onixPrice(product, notes, priceMinor)
  const rights = blockedBy(publishing)
  if (rights.note) notes.add('sales rights', rights.note)
  const day = dateIn(publishing)
  const first = day === undefined ? undefined : notes.read(read.dateInCell('PublishingDate', day))
  const persons = (...roles: readonly string[]) =>
    eachOnce(
      detail
        .all('Contributor')
        .sort((one, other) => Number(one.text('SequenceNumber')) - Number(other.text('SequenceNumber')))
        .filter((each) => each.all('ContributorRole').some(({ own }) => roles.includes(own)))
        .map(personOf),
    )
  const reference = line(product.text('RecordReference'))
  const isSold = isOnSale(product, publishing, notes) && !rights.nowhere

  return {
    format,
    isbn: isbn?.isbn ?? null,
    sourceId: reference ? `onix:${reference}` : null,
    slug: undefined,
    ...titleIn(detail),
    authors: persons('A01', 'A02'),
    narrators: persons('E03', 'E07'),
    translator: persons('B06')[0] ?? null,
    publisher: publisherIn(publishing),
    language: notes.read(read.languageNameOf(languageIn(detail))) ?? null,
    style: null,
    category: null,
    locations: [],
    tags: keptTags(tagsIn(detail), notes),
    summary: summaryIn(product),
    metaKeywords: keywordsIn(detail) || null,
    priceMinor: price ?? 0,
    memberPriceMinor: null,
    ...(price !== undefined && onixPrice(product, new Notes(), undefined) === undefined
      ? { pricedByOwner: true as const }
      : {}),
    ...(isSold ? {} : { withheld: true as const }),
    published: price !== undefined && isSold,
    blockedCountries: rights.countries,
    ...seriesIn(detail, line),
    lengthMinutes: read.minutesOf(secondsIn(detail)),
    pages: format === 'e_book' ? pagesIn(detail) : null,
    ...(format === 'e_book' ? accessibilityIn(detail) : {}),
    firstPublished: first ?? null,
    pictures: picturesIn(product),
    notes: notes.all,
  }
}

/** Decodes HTML entities that XML does not define (`&eacute;`). */
const line = (text: string): string =>
  read.lineInCell(
    /&\w+;/.test(text)
      ? sanitize(text, { allowedTags: [], allowedAttributes: {} })
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&amp;', '&')
      : text,
  )

/** ONIX list 150: accept downloadable audio and digital products. The shop does not sell physical goods. */
function formatOf(form: string): Format {
  if (/^A[AJNOZ]$/.test(form)) return 'audio_book'
  if (form.startsWith('E')) return 'e_book'
  if (form.startsWith('A'))
    throw new RowRefused(
      'a disc or a cassette',
      `ProductForm ${form} is a disc, a cassette or another thing.`,
    )
  if (form.startsWith('B')) throw new RowRefused('a printed book', `ProductForm ${form} is a printed book.`)
  throw new RowRefused(
    'neither an audiobook nor an e-book',
    form
      ? `ProductForm ${form} is neither an audiobook nor an e-book.`
      : 'The product does not say its form.',
  )
}

/** ONIX list 5: 15 is an ISBN-13, 03 the same number as a GTIN, 02 an ISBN-10. */
function productNumber(product: XmlNode): string {
  const numbers = product.all('ProductIdentifier')
  const of = (type: string) =>
    numbers.find((each) => each.text('ProductIDType') === type)?.text('IDValue') ?? ''
  const gtin = of('03')
  return of('15') || (/^97[89]/.test(gtin) ? gtin : '') || of('02')
}

function titleIn(detail: XmlNode): { title: string } {
  const titles = detail.all('TitleDetail')
  const distinctive = titles.find((each) => each.text('TitleType') === '01') ?? titles[0]
  const elements = distinctive?.all('TitleElement') ?? []
  const element = elements.find((each) => each.text('TitleElementLevel') === '01') ?? elements[0]
  const text = (name: string) => line(element?.text(name) ?? '')
  const turned = [text('TitlePrefix'), text('TitleWithoutPrefix')].filter(Boolean).join(' ')
  return { title: titleOf(text('TitleText') || turned, text('Subtitle')) }
}

function personOf(contributor: XmlNode) {
  const text = (name: string) => line(contributor.text(name))
  const key = [text('PrefixToKey'), text('KeyNames')].filter(Boolean).join(' ')
  if (key) return cataloguePerson([key, text('NamesBeforeKey')].filter(Boolean).join(', '), true)
  const turned = text('PersonNameInverted')
  if (turned) return cataloguePerson(turned, true)
  const name = text('PersonName')
  return name ? cataloguePerson(name, false) : cataloguePerson(text('CorporateName'), true)
}

function publisherIn(publishing: XmlNode): string | null {
  const publishers = publishing.all('Publisher')
  const main = publishers.find((each) => each.text('PublishingRole') === '01') ?? publishers[0]
  return line(main?.text('PublisherName') ?? '') || line(publishing.text('Imprint', 'ImprintName')) || null
}

function languageIn(detail: XmlNode): string {
  const languages = detail.all('Language')
  const ofText = languages.find((each) => each.text('LanguageRole') === '01') ?? languages[0]
  return ofText?.text('LanguageCode') ?? ''
}

const subjectsIn = (detail: XmlNode, isOfScheme: (scheme: string) => boolean): string[] =>
  detail
    .all('Subject')
    .filter((each) => isOfScheme(each.text('SubjectSchemeIdentifier')))
    .flatMap((each) => read.listInCell(line(each.text('SubjectHeadingText'))))

/** Scheme 20 holds keywords: they serve the search and are not shown as tags. */
const tagsIn = (detail: XmlNode): string[] => [...new Set(subjectsIn(detail, (scheme) => scheme !== '20'))]
const keywordsIn = (detail: XmlNode): string =>
  subjectsIn(detail, (scheme) => scheme === '20')
    .join(', ')
    .slice(0, 1_000)

/** TextType 03 is the description, 02 the short description. */
function summaryIn(product: XmlNode): string {
  const texts = product.all('CollateralDetail', 'TextContent')
  for (const type of ['03', '02'])
    for (const content of texts.filter((each) => each.text('TextType') === type)) {
      const html = richText(read.proseOf(markupOf(content.text('Text'))))
      if (html) return html
    }
  return ''
}

function markupOf(raw: string): string {
  const data = /^\s*<!\[CDATA\[([^]*?)\]\]>\s*$/.exec(raw)?.[1]
  if (data !== undefined) return data
  if (/<\w/.test(raw)) return raw
  return raw
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&amp;', '&')
}

const SECONDS: Readonly<Record<string, (value: string) => number>> = {
  '04': (value) => Number(value) * 3600,
  '05': (value) => Number(value) * 60,
  '06': Number,
  '14': (value) => Number(value) * 3600,
  '15': (value) => Number(value.slice(0, -2)) * 3600 + Number(value.slice(-2)) * 60,
  '16': (value) =>
    Number(value.slice(0, -4)) * 3600 + Number(value.slice(-4, -2)) * 60 + Number(value.slice(-2)),
}

function secondsIn(detail: XmlNode): number | undefined {
  const extent = detail.all('Extent').find((each) => each.text('ExtentType') === '09')
  const seconds = SECONDS[extent?.text('ExtentUnit') ?? '']?.(extent?.text('ExtentValue') ?? '')
  if (extent && (seconds === undefined || !Number.isFinite(seconds) || seconds < 0))
    throw new RowRefused('not a length', `The duration ${extent.text('ExtentValue')} is not a length.`)
  return seconds
}

function pagesIn(detail: XmlNode): number | null {
  const extents = detail.all('Extent').filter((each) => each.text('ExtentUnit') === '03')
  for (const type of ['00', '11', '10', '08', '07']) {
    const pages = extents.find((each) => each.text('ExtentType') === type)?.text('ExtentValue')
    if (pages) return read.countOf('pages', pages, 100_000) || null
  }
  return null
}

/** ProductFormFeatureType 09 lists accessibility features, 12 lists hazards. */
function accessibilityIn(detail: XmlNode): Pick<Entry, 'accessibility'> {
  const accessibility = accessibilityOfOnix(
    detail.all('ProductFormFeature').map((each) => ({
      type: each.text('ProductFormFeatureType'),
      value: each.text('ProductFormFeatureValue'),
      description: line(each.text('ProductFormFeatureDescription')),
    })),
  )
  return accessibility.codes.length > 0 || accessibility.summary ? { accessibility } : {}
}

/** PublishingDateRole 01 is the publication, 11 the first publication of the work. */
function dateIn(publishing: XmlNode): string | undefined {
  const dates = publishing.all('PublishingDate')
  for (const role of ['11', '01', '19']) {
    const date = dates.find((each) => each.text('PublishingDateRole') === role)?.text('Date')
    if (!date) continue
    return /^\d{6}$/.test(date) ? `${date.slice(0, 4)}-${date.slice(4)}` : date.replace(/^(\d{8})T.*$/, '$1')
  }
  return undefined
}

/** Prices in pounds including tax: PriceType 02 is recommended, 04 fixed, 42 the publisher's own. */
function onixPrice(product: XmlNode, notes: Notes, otherwise: number | undefined): number | undefined {
  const supplies = product.all('ProductSupply', 'SupplyDetail')
  if (supplies.some((each) => each.text('UnpricedItemType') === '01')) return 0
  const prices = supplies.flatMap((each) => each.all('Price'))
  const poundPrices = prices.filter((each) => each.text('CurrencyCode') === 'GBP')
  for (const type of ['02', '04', '42']) {
    const amount = poundPrices.find((each) => each.text('PriceType') === type)?.text('PriceAmount')
    if (amount) return read.priceInCell('PriceAmount', amount)
  }
  if (otherwise !== undefined) return otherwise
  const [kind, text] = NO_PRICE
  const why =
    poundPrices.length > 0
      ? ' It has a price without tax, which doesn’t say what the reader pays.'
      : prices.length > 0
        ? ' It has prices in other currencies.'
        : ''
  notes.add(kind, text + why)
  return undefined
}

/** ProductAvailability (list 65): 20 to 23 and on-demand are available. PublishingStatus (list 64): 04 is active. */
function isOnSale(product: XmlNode, publishing: XmlNode, notes: Notes): boolean {
  const status = publishing.text('PublishingStatus')
  if (/^(01|03|05|06|07|08|09|11|15|16)$/.test(status)) {
    notes.add('not on sale at its publisher', `PublishingStatus ${status}: listed but not sold.`)
    return false
  }
  const available = product.all('ProductSupply', 'SupplyDetail', 'ProductAvailability').map(({ own }) => own)
  if (available.length === 0 || available.some((code) => /^2\d$/.test(code))) return true
  notes.add('not available', `ProductAvailability ${available.join(', ')}: listed but not sold.`)
  return false
}

/** ResourceContentType 01 is the front cover; ResourceMode 03 is an image. */
const picturesIn = (product: XmlNode): string[] => [
  ...new Set(
    product
      .all('CollateralDetail', 'SupportingResource')
      .filter(
        (each) => each.text('ResourceContentType') === '01' && /^(03)?$/.test(each.text('ResourceMode')),
      )
      .flatMap((each) => each.all('ResourceVersion', 'ResourceLink'))
      .map(({ own }) => line(own))
      .filter(Boolean),
  ),
]

export interface Rights {
  readonly countries: readonly string[]
  readonly nowhere: boolean
  readonly note?: string
}

const codesIn = (nodes: readonly XmlNode[], name: string): string[] =>
  nodes.flatMap((node) => node.text('Territory', name).split(/\s+/).filter(Boolean))

/**
 * SalesRightsType 01, 02, 07 and 08 allow the sale. `ROW`, the rest of the world, is open only if the record says so.
 */
export function blockedBy(publishing: XmlNode): Rights {
  const rights = publishing.all('SalesRights')
  if (rights.length === 0) return { countries: [], nowhere: false }
  const isForSale = (node: XmlNode) => /^0[1278]$/.test(node.text('SalesRightsType'))
  const [open, closed] = [rights.filter(isForSale), rights.filter((node) => !isForSale(node))]

  const openRegions = codesIn(open, 'RegionsIncluded')
  const openCountries = new Set(codesIn(open, 'CountriesIncluded'))
  const everywhere =
    openRegions.some((region) => region === 'WORLD' || region === 'ROW') ||
    /^0[1278]$/.test(publishing.text('ROWSalesRightsType')) ||
    (open.length === 0 && !codesIn(closed, 'RegionsIncluded').includes('WORLD'))
  const shut = new Set([
    ...codesIn(open, 'CountriesExcluded'),
    ...codesIn(closed, 'CountriesIncluded'),
    ...(everywhere ? [] : COUNTRIES),
  ])
  for (const country of openCountries) shut.delete(country)

  // Parts of a country, such as GB-SCT: the shop blocks whole countries only.
  const parts = [...openRegions, ...rights.flatMap((node) => codesIn([node], 'RegionsExcluded'))].filter(
    (region) => region.includes('-') || region === 'ECZ',
  )
  const countries = [...shut].filter((code) => /^[A-Z]{2}$/.test(code)).sort()
  return {
    countries,
    nowhere: !everywhere && openCountries.size === 0,
    ...(parts.length > 0
      ? {
          note: `Sales rights name ${parts.join(', ')}, which is not a whole country; they are not applied there.`,
        }
      : {}),
  }
}

const COUNTRIES = countries()

function countries(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  return letters
    .flatMap((one) => letters.map((other) => one + other))
    .filter((code) => names.of(code) !== code)
}

/** ONIX list 197: 03 is the order of publication, 05 the order of first publication, 04 the order of the story. */
const PUBLICATION = ['05', '03']
const STORY = ['04']
/** 02 is the order of titles, 01 the publisher's own order. */
const PRINTED = ['02', '01', ...PUBLICATION]

/** Empty if the product names none, so that stored hashes stay the same. */
export function seriesIn(detail: XmlNode, line: (text: string) => string): Pick<Entry, 'series'> {
  const collections = detail.all('Collection').flatMap((collection) => {
    const found = namedIn(collection, ['02', '01'], line)
    if (!found) return []
    const place = (types: readonly string[]) => numberIn(collection, types)
    const number = found.number || place(PRINTED)
    return [
      {
        name: found.name,
        ...(number ? { number } : {}),
        ...differing('published', place(PUBLICATION), number),
        ...differing('story', place(STORY), number),
      },
    ]
  })
  const inTitle = namedIn(detail, ['02', '03'], line)
  const series = givenSeries(collections.length > 0 || !inTitle ? collections : [inTitle])
  return series.length > 0 ? { series } : {}
}

/** ONIX list 149: 02 is the collection, 03 a part of a collection, 01 the product. */
function namedIn(
  node: XmlNode,
  levels: readonly string[],
  line: (text: string) => string,
): FoundSeries | undefined {
  const elements = node.all('TitleDetail', 'TitleElement')
  const element = levels
    .map((level) => elements.find((each) => each.text('TitleElementLevel') === level))
    .find(Boolean)
  const text = (name: string) => line(element?.text(name) ?? '')
  const name =
    text('TitleText') || [text('TitlePrefix'), text('TitleWithoutPrefix')].filter(Boolean).join(' ')
  if (!name) return undefined
  const number = elements.map((each) => line(each.text('PartNumber'))).find(Boolean)
  return number ? { name, number } : { name }
}

const numberIn = (collection: XmlNode, types: readonly string[]): string =>
  types
    .map((type) =>
      collection
        .all('CollectionSequence')
        .find((each) => each.text('CollectionSequenceType') === type)
        ?.text('CollectionSequenceNumber'),
    )
    // Some publishers write a hyphen for an unknown number.
    .find((number) => /\d/.test(number ?? '')) ?? ''

function differing(as: 'published' | 'story', place: string, number: string) {
  const told = Number.parseFloat(place)
  return Number.isFinite(told) && told !== Number.parseFloat(number) ? { [as]: told } : {}
}
