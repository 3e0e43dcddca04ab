import { TextDecoder } from 'node:util'
import { xmlReader, type XmlNode } from '../xml.ts'
import { bytesOf, refuseBinary, wideEncodingOf } from './csv.ts'
import { BrokenFile } from './notes.ts'

export interface OnixProduct {
  readonly line: number
  readonly product: XmlNode | undefined
}

const LARGEST_PRODUCT = 4_000_000

const readMessage = xmlReader({
  strict: true,
  // Keep the markup of texts as written; it is sanitised later.
  stopNodes: ['*.Text'],
  transformTagName: (name) => REFERENCE_TAGS[name] ?? name,
})

/** @throws `BrokenFile` if the file is not ONIX 3 or is truncated */
export async function* onixProducts(path: string): AsyncGenerator<OnixProduct> {
  let decoder: TextDecoder | undefined
  let text = ''
  let line = 1
  for await (const piece of bytesOf(path)) {
    if (!decoder) {
      refuseBinary(piece)
      decoder = decoderOf(piece)
      text = decoder.decode(piece, { stream: true })
      refuseOther(text)
    } else text += decoder.decode(piece, { stream: true })
    const { products, rest, at } = cut(text, line)
    yield* products
    ;[text, line] = [rest, at]
    if (text.length > LARGEST_PRODUCT)
      throw new BrokenFile(`From line ${line} on, no product ends within ${LARGEST_PRODUCT} characters.`)
  }
  if (/<product[\s>]/i.test(text))
    throw new BrokenFile(
      `The file ends in the middle of the product that begins on line ${lineOfProduct(text, line)}.`,
    )
  if (!/<\/onixmessage\s*>/i.test(text)) throw new BrokenFile('The file ends before the ONIX message does.')
}

function cut(text: string, from: number): { products: OnixProduct[]; rest: string; at: number } {
  const products: OnixProduct[] = []
  const pattern = /<(product)(?=[\s>])[^]*?<\/\1\s*>/gi
  let [end, line] = [0, from]
  for (const match of text.matchAll(pattern)) {
    line += breaksIn(text.slice(end, match.index))
    products.push({ line, product: parseOnix(match[0]) })
    line += breaksIn(match[0])
    end = match.index + match[0].length
  }
  return { products, rest: text.slice(end), at: line }
}

function parseOnix(xml: string): XmlNode | undefined {
  try {
    return readMessage(xml).all('Product')[0]
  } catch {
    return undefined
  }
}

function decoderOf(start: Buffer): TextDecoder {
  const wide = wideEncodingOf(start)
  const told = /^[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(start.subarray(0, 200).toString('latin1'))?.[1]
  try {
    return new TextDecoder(wide ?? told ?? 'utf-8')
  } catch {
    throw new BrokenFile(`The file says its encoding is “${told}”, which is not one we know.`)
  }
}

function refuseOther(text: string): void {
  const message = /<onixmessage\b([^>]*)>/i.exec(text)
  if (!message) throw new BrokenFile('The file is not an ONIX message: it has no <ONIXMessage>.')
  const release = /release\s*=\s*["']([^"']*)["']/.exec(message[1]!)?.[1]
  if (!release?.startsWith('3.'))
    throw new BrokenFile(`The message is ONIX ${release ?? '2.1 or older'}; the shop reads ONIX 3.0 and 3.1.`)
}

const breaksIn = (text: string): number => text.split('\n').length - 1
const lineOfProduct = (text: string, line: number): number =>
  line + breaksIn(text.slice(0, text.search(/<product[\s>]/i)))

export const REFERENCE_TAGS: Readonly<Record<string, string>> = {
  product: 'Product',
  a001: 'RecordReference',
  a002: 'NotificationType',
  productidentifier: 'ProductIdentifier',
  b221: 'ProductIDType',
  b244: 'IDValue',
  descriptivedetail: 'DescriptiveDetail',
  x314: 'ProductComposition',
  b012: 'ProductForm',
  productformfeature: 'ProductFormFeature',
  b334: 'ProductFormFeatureType',
  b335: 'ProductFormFeatureValue',
  b336: 'ProductFormFeatureDescription',
  titledetail: 'TitleDetail',
  b202: 'TitleType',
  titleelement: 'TitleElement',
  x409: 'TitleElementLevel',
  b203: 'TitleText',
  b030: 'TitlePrefix',
  b031: 'TitleWithoutPrefix',
  b029: 'Subtitle',
  x410: 'PartNumber',
  collection: 'Collection',
  x329: 'CollectionType',
  collectionsequence: 'CollectionSequence',
  x479: 'CollectionSequenceType',
  x481: 'CollectionSequenceNumber',
  contributor: 'Contributor',
  b034: 'SequenceNumber',
  b035: 'ContributorRole',
  b036: 'PersonName',
  b037: 'PersonNameInverted',
  b039: 'NamesBeforeKey',
  b247: 'PrefixToKey',
  b040: 'KeyNames',
  b047: 'CorporateName',
  language: 'Language',
  b253: 'LanguageRole',
  b252: 'LanguageCode',
  extent: 'Extent',
  b218: 'ExtentType',
  b219: 'ExtentValue',
  b220: 'ExtentUnit',
  subject: 'Subject',
  b067: 'SubjectSchemeIdentifier',
  b069: 'SubjectCode',
  b070: 'SubjectHeadingText',
  collateraldetail: 'CollateralDetail',
  textcontent: 'TextContent',
  x426: 'TextType',
  d104: 'Text',
  supportingresource: 'SupportingResource',
  x436: 'ResourceContentType',
  x437: 'ResourceMode',
  resourceversion: 'ResourceVersion',
  x435: 'ResourceLink',
  publishingdetail: 'PublishingDetail',
  imprint: 'Imprint',
  b079: 'ImprintName',
  publisher: 'Publisher',
  b291: 'PublishingRole',
  b081: 'PublisherName',
  b394: 'PublishingStatus',
  publishingdate: 'PublishingDate',
  x448: 'PublishingDateRole',
  b306: 'Date',
  salesrights: 'SalesRights',
  b089: 'SalesRightsType',
  territory: 'Territory',
  x449: 'CountriesIncluded',
  x450: 'RegionsIncluded',
  x451: 'CountriesExcluded',
  x452: 'RegionsExcluded',
  x456: 'ROWSalesRightsType',
  productsupply: 'ProductSupply',
  supplydetail: 'SupplyDetail',
  j396: 'ProductAvailability',
  j192: 'UnpricedItemType',
  price: 'Price',
  x462: 'PriceType',
  j151: 'PriceAmount',
  j152: 'CurrencyCode',
}
