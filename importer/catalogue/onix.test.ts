import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OwnersFolder } from '../fixtures/owners-folder.ts'
import type { Entry } from './entry.ts'
import { RowRefused } from './notes.ts'
import { onixProducts } from './onix.ts'
import { entryOfProduct } from './onix-entry.ts'
import { REFERENCE_TAGS } from './onix.ts'

let owner: OwnersFolder
beforeEach(() => {
  owner = new OwnersFolder()
})
afterEach(() => owner.remove())

interface Parts {
  readonly form?: string
  readonly rights?: string
  readonly supply?: string
  readonly more?: string
}

const PRICE = `<Price><PriceType>02</PriceType><PriceAmount>12.99</PriceAmount><CurrencyCode>GBP</CurrencyCode></Price>`

const product = ({ form = 'AJ', rights = '', supply = PRICE, more = '' }: Parts = {}) => `
<Product>
  <RecordReference>house.peat</RecordReference>
  <NotificationType>03</NotificationType>
  <ProductIdentifier><ProductIDType>01</ProductIDType><IDValue>X7</IDValue></ProductIdentifier>
  <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9780306406157</IDValue></ProductIdentifier>
  <DescriptiveDetail>
    <ProductComposition>00</ProductComposition>
    <ProductForm>${form}</ProductForm>
    <TitleDetail><TitleType>01</TitleType>
      <TitleElement><TitleElementLevel>01</TitleElementLevel>
        <TitlePrefix>The</TitlePrefix><TitleWithoutPrefix>Peat &amp; Caf&eacute;</TitleWithoutPrefix>
        <Subtitle>A Life</Subtitle></TitleElement></TitleDetail>
    <Contributor><SequenceNumber>2</SequenceNumber><ContributorRole>E07</ContributorRole><PersonName>Edda Marlow</PersonName></Contributor>
    <Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><NamesBeforeKey>Niall</NamesBeforeKey><KeyNames>Garvey</KeyNames></Contributor>
    <Contributor><SequenceNumber>3</SequenceNumber><ContributorRole>B06</ContributorRole><PersonNameInverted>Reve, Ana</PersonNameInverted></Contributor>
    <Language><LanguageRole>01</LanguageRole><LanguageCode>fre</LanguageCode></Language>
    <Extent><ExtentType>09</ExtentType><ExtentValue>0053015</ExtentValue><ExtentUnit>16</ExtentUnit></Extent>
    <Extent><ExtentType>00</ExtentType><ExtentValue>240</ExtentValue><ExtentUnit>03</ExtentUnit></Extent>
    <Subject><SubjectSchemeIdentifier>12</SubjectSchemeIdentifier><SubjectCode>FA</SubjectCode><SubjectHeadingText>Modern fiction</SubjectHeadingText></Subject>
    <Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier><SubjectHeadingText>bog; fuel</SubjectHeadingText></Subject>
  </DescriptiveDetail>
  <CollateralDetail>
    <TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience>
      <Text textformat="05"><p>Cut <em>slowly</em> &amp; dried.</p><script>alert(1)</script></Text></TextContent>
    <SupportingResource><ResourceContentType>01</ResourceContentType><ContentAudience>00</ContentAudience><ResourceMode>03</ResourceMode>
      <ResourceVersion><ResourceForm>02</ResourceForm><ResourceLink>https://pictures.example/peat.jpg?w=1&amp;h=2</ResourceLink></ResourceVersion></SupportingResource>
  </CollateralDetail>
  <PublishingDetail>
    <Publisher><PublishingRole>01</PublishingRole><PublisherName>Garvey &amp; Daughters</PublisherName></Publisher>
    <PublishingStatus>04</PublishingStatus>
    <PublishingDate><PublishingDateRole>01</PublishingDateRole><Date dateformat="00">20210301</Date></PublishingDate>
    ${rights}
  </PublishingDetail>
  ${more}
  <ProductSupply><SupplyDetail><ProductAvailability>20</ProductAvailability>${supply}</SupplyDetail></ProductSupply>
</Product>`

const message = (...products: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">
<Header><Sender><SenderName>House</SenderName></Sender></Header>${products.join('')}\n</ONIXMessage>\n`

/** Rewrites a message with ONIX short tags, the other common notation. */
function inShortTags(xml: string): string {
  const short = new Map(Object.entries(REFERENCE_TAGS).map(([tag, name]) => [name, tag]))
  return xml
    .replace('<ONIXMessage', '<ONIXmessage')
    .replace('</ONIXMessage', '</ONIXmessage')
    .replace(/<(\/?)(\w+)/g, (tag, slash: string, name: string) => {
      const other = short.get(name)
      return other ? `<${slash}${other}` : tag
    })
}

async function read(xml: string | Buffer): Promise<(Entry | string)[]> {
  owner.put('list.xml', xml)
  const found: (Entry | string)[] = []
  for await (const { product: node } of onixProducts(join(owner.path, 'list.xml'))) {
    try {
      found.push(entryOfProduct(node))
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      found.push(error.kind)
    }
  }
  return found
}

test('reads a product by the code lists of ONIX', async () => {
  expect(await read(message(product()))).toEqual([
    {
      format: 'audio_book',
      isbn: '9780306406157',
      sourceId: 'onix:house.peat',
      slug: undefined,
      title: 'The Peat & Café: A Life',
      authors: [{ firstName: 'Niall', lastName: 'Garvey' }],
      narrators: [{ firstName: 'Edda', lastName: 'Marlow' }],
      translator: { firstName: 'Ana', lastName: 'Reve' },
      publisher: 'Garvey & Daughters',
      language: 'French',
      style: null,
      category: null,
      locations: [],
      tags: ['Modern fiction'],
      summary: '<p>Cut <em>slowly</em> &amp; dried.</p>',
      metaKeywords: 'bog, fuel',
      priceMinor: 1299,
      memberPriceMinor: null,
      published: true,
      blockedCountries: [],
      lengthMinutes: 330,
      pages: null,
      firstPublished: '2021-03-01',
      pictures: ['https://pictures.example/peat.jpg?w=1&h=2'],
      notes: [],
    },
  ])
})

test("listening: reads an e-book's accessibility from lists 196 and 143", async () => {
  const feature = (type: string, value: string, more = '') =>
    `<ProductFormFeature><ProductFormFeatureType>${type}</ProductFormFeatureType>
    <ProductFormFeatureValue>${value}</ProductFormFeatureValue>${more}</ProductFormFeature>`
  const features = [
    ...[feature('09', '14'), feature('09', '52'), feature('12', '00'), feature('01', '14')],
    feature('09', '00', '<ProductFormFeatureDescription>All text.</ProductFormFeatureDescription>'),
  ]
  const ebook = product({ form: 'ED' }).replace('<TitleDetail>', `${features.join('')}<TitleDetail>`)
  const said = {
    codes: ['feature:alternativeText', 'hazard:none', 'sufficient:textual'],
    summary: 'All text.',
  }
  expect(await read(message(ebook))).toMatchObject([{ accessibility: said }])
  expect(await read(inShortTags(message(ebook)))).toMatchObject([{ accessibility: said }])
  expect((await read(message(product({ form: 'ED' }))))[0]).not.toHaveProperty('accessibility')
})

test('short tags and reference tags give the same result in any encoding', async () => {
  const xml = message(product(), product({ form: 'ED' }))
  const read1 = await read(xml)
  expect(read1).toMatchObject([{ format: 'audio_book' }, { format: 'e_book', pages: 240 }])
  const short = inShortTags(xml)
  expect(short).not.toContain('<ProductForm>')
  expect(await read(short)).toEqual(read1)
  expect(await read(Buffer.from(`\ufeff${xml}`, 'utf16le'))).toEqual(read1)
  expect(await read(Buffer.from(xml.replace('UTF-8', 'windows-1252'), 'latin1'))).toEqual(read1)
})

test('sanitises escaped and CDATA descriptions like marked-up ones', async () => {
  const with_ = (text: string) => product().replace(/<Text textformat="05">[^]*?<\/Text>/, text)
  const found = await read(
    message(
      with_(
        '<Text textformat="02">&lt;p&gt;Cut &lt;em&gt;slowly&lt;/em&gt;.&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;</Text>',
      ),
      with_('<Text><![CDATA[<p onclick="x()">Cut <em>slowly</em>.</p>]]></Text>'),
      with_('<Text>Cut slowly.</Text>'),
    ),
  )
  expect(found.map((entry) => (entry as Entry).summary)).toEqual([
    '<p>Cut <em>slowly</em>.</p>',
    '<p>Cut <em>slowly</em>.</p>',
    '<p>Cut slowly.</p>',
  ])
})

test('refuses a product that is not a download, is a deletion or is not XML, and reads the next one', async () => {
  expect(
    await read(
      message(
        product({ form: 'BB' }),
        product({ form: 'AC' }),
        product({ form: 'VI' }),
        product().replace('<NotificationType>03', '<NotificationType>05'),
        product().replace('</DescriptiveDetail>', '</Descriptive>'),
        product().replace('9780306406157', '9780306406158'),
        product(),
      ),
    ),
  ).toEqual([
    'a printed book',
    'a disc or a cassette',
    'neither an audiobook nor an e-book',
    'asks to be deleted',
    'not XML',
    'ISBN with a wrong check digit',
    expect.objectContaining({ title: 'The Peat & Café: A Life' }),
  ])
})

test('prices, availability and sales rights decide what is sold and in which countries', async () => {
  const rights = (type: string, territory: string, rest = '') =>
    `<SalesRights><SalesRightsType>${type}</SalesRightsType><Territory>${territory}</Territory></SalesRights>${rest}`
  const found = (await read(
    message(
      product({ supply: PRICE.replace('>02<', '>01<') }),
      product({ supply: PRICE.replace('GBP', 'EUR') }),
      product({ supply: '<UnpricedItemType>01</UnpricedItemType>' }),
      product().replace('<ProductAvailability>20', '<ProductAvailability>40'),
      product({
        rights: rights(
          '01',
          '<RegionsIncluded>WORLD</RegionsIncluded><CountriesExcluded>US CA</CountriesExcluded>',
        ),
      }),
      product({ rights: rights('02', '<CountriesIncluded>GB IE</CountriesIncluded>') }),
      product({ rights: rights('03', '<CountriesIncluded>US</CountriesIncluded>') }),
      product({ rights: rights('03', '<RegionsIncluded>WORLD</RegionsIncluded>') }),
    ),
  )) as Entry[]
  expect(found.map(({ published, priceMinor }) => [published, priceMinor])).toEqual([
    [false, 0],
    [false, 0],
    [true, 0],
    [false, 1299],
    [true, 1299],
    [true, 1299],
    [true, 1299],
    [false, 1299],
  ])
  expect(found[0]!.notes[0]!.text).toContain('without tax')
  expect(found[4]!.blockedCountries).toEqual(['CA', 'US'])
  expect(found[5]!.blockedCountries).toContain('FR')
  expect(found[5]!.blockedCountries).not.toContain('IE')
  expect(found[6]!.blockedCountries).toEqual(['US'])
})

test('reports a file that is not ONIX 3, or is truncated, after the products before the fault', async () => {
  await expect(read('<html></html>')).rejects.toThrow('not an ONIX message')
  await expect(read(message(product()).replace('release="3.0"', 'release="2.1"'))).rejects.toThrow('ONIX 2.1')
  const whole = message(product(), product())
  await expect(read(whole.slice(0, whole.lastIndexOf('<ProductSupply')))).rejects.toThrow(
    /ends in the middle of the product that begins on line \d+/,
  )
  await expect(read(whole.slice(0, whole.indexOf('</ONIXMessage')))).rejects.toThrow(
    'before the ONIX message does',
  )
})

test('finds products at any split of the file', async () => {
  const many = Array.from({ length: 300 }, (_, n) =>
    product()
      .replace('house.peat', `house.${n}`)
      .replace('Cut <em>', `${'é'.repeat(700)}<em>`),
  )
  const found = (await read(message(...many))) as Entry[]
  expect(found.map(({ sourceId }) => sourceId)).toEqual(many.map((_, n) => `onix:house.${n}`))
  expect(new Set(found.map(({ summary }) => summary)).size).toBe(1)
})
