import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32, gzipSync } from 'node:zlib'
import JSZip from 'jszip'
import sharp from 'sharp'
import { epub, mp3, TONE } from '#importer/fixtures/owners-folder.ts'

/** Writes libraries in the formats of other programs: what an owner imports into a new shop. */

type Content = Buffer | string | object

function writer(root: string) {
  return (name: string, content: Content): void => {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(path, isRaw ? content : JSON.stringify(content, null, 2))
  }
}

const cover = (background: string, size = 600): Promise<Buffer> =>
  sharp({ create: { width: size, height: size, channels: 3, background } })
    .jpeg()
    .toBuffer()

/** The metadata file that Audiobookshelf writes next to a book (`storeMetadataWithItem`), with every key. */
const absMetadata = (known: object) => ({
  tags: [],
  chapters: [],
  title: null,
  subtitle: null,
  authors: [],
  narrators: [],
  series: [],
  genres: [],
  publishedYear: null,
  publishedDate: null,
  publisher: null,
  description: null,
  isbn: null,
  asin: null,
  language: null,
  explicit: false,
  abridged: false,
  ...known,
})

/** Eight titles in the folder layouts that Audiobookshelf documents, with the stray files of a NAS among them. */
export async function writeAudiobookshelf(root: string): Promise<void> {
  const put = writer(root)
  const chapters = (folder: string, names: readonly string[], tags: object = {}) =>
    names.forEach((title, index) =>
      put(
        `${folder}/${String(index + 1).padStart(2, '0')} - ${title}.mp3`,
        mp3({ title, track: String(index + 1), ...tags }),
      ),
    )
  const pride = 'Jane Austen/Pride and Prejudice {Karen Savage}'
  chapters(pride, ['Chapter 1', 'Chapter 2', 'Chapter 3'])
  put(
    `${pride}/metadata.json`,
    absMetadata({
      title: 'Pride and Prejudice',
      authors: ['Jane Austen'],
      narrators: ['Karen Savage'],
      genres: ['Romance', 'General Fiction'],
      tags: ['classics'],
      publishedYear: '1813',
      publisher: 'LibriVox',
      description: '<p>It is a truth <em>universally</em> acknowledged.</p>',
      language: 'English',
    }),
  )
  put(`${pride}/cover.jpg`, await cover('#884444'))

  const holmes = 'Arthur Conan Doyle/Sherlock Holmes'
  chapters(`${holmes}/1 - A Study in Scarlet`, ['Mr. Sherlock Holmes', 'The Science of Deduction'])
  put(
    `${holmes}/1 - A Study in Scarlet/metadata.json`,
    absMetadata({
      title: 'A Study in Scarlet',
      authors: ['Arthur Conan Doyle'],
      narrators: ['Ruth Golding'],
      series: ['Sherlock Holmes #1'],
      publishedYear: '1887',
      language: 'en',
    }),
  )
  chapters(`${holmes}/2 - The Sign of the Four`, ['The Science of Deduction', 'The Statement of the Case'])
  put(`${holmes}/2 - The Sign of the Four/desc.txt`, 'A treasure, a pact, and four names on a wall.\n')
  put(`${holmes}/2 - The Sign of the Four/reader.txt`, 'David Clarke\n')
  put(
    `${holmes}/2 - The Sign of the Four/cover.png`,
    await sharp(await cover('#222266'))
      .png()
      .toBuffer(),
  )

  const verne = 'Jules Verne/Extraordinary Voyages/Vol 6 - 1870 - Twenty Thousand Leagues under the Sea'
  put(`${verne}/Disc 1/01.mp3`, mp3({ title: 'A Shifting Reef', track: '1', disc: '1' }))
  put(`${verne}/Disc 1/02.mp3`, mp3({ title: 'Pro and Con', track: '2', disc: '1' }))
  put(`${verne}/Disc 2/01.mp3`, mp3({ title: 'The Indian Ocean', track: '1', disc: '2' }))
  put(
    `${verne}/metadata.opf`,
    `<?xml version="1.0" encoding="UTF-8"?>
<package version="2.0" xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
<dc:title>Twenty Thousand Leagues under the Sea</dc:title><dc:creator opf:role="aut">Jules Verne</dc:creator>
<dc:creator opf:role="nrt">Michelle Crandall</dc:creator><dc:language>en</dc:language><dc:publisher>LibriVox</dc:publisher>
<meta name="calibre:series" content="Extraordinary Voyages"/><meta name="calibre:series_index" content="6"/></metadata></package>`,
  )

  const tags = { album: 'Frankenstein; or, The Modern Prometheus', artist: 'Mary Shelley', year: '1818' }
  for (const track of ['1', '2', '10'])
    put(
      `Mary Shelley/Frankenstein/Letter ${track}.mp3`,
      mp3({
        ...tags,
        composer: 'Caden Vaughn Clegg',
        title: `Letter ${track}`,
        track,
        picture: await drawn(),
      }),
    )

  const kafka = 'Franz Kafka/Die Verwandlung'
  put(`${kafka}/Die Verwandlung.mp3`, TONE)
  put(`${kafka}/Die Verwandlung.epub`, await epub({ title: 'Die Verwandlung', author: 'Franz Kafka' }))
  put(
    `${kafka}/metadata.json`,
    absMetadata({
      title: 'Die Verwandlung',
      authors: ['Franz Kafka'],
      language: 'German',
      isbn: '9783150099001',
    }),
  )

  const smile = 'Łucja Żółć & Émile Ünsal/Smile 😀 — „Здравствуйте“ (2020)'
  put(`${smile}/1. Start.mp3`, mp3({ title: 'Start' }))
  put(`${smile}/desc.txt`, Buffer.from('Written in Windows-1252: caf\xe9, \x93quoted\x94.', 'latin1'))

  put(
    'H. G. Wells/1895 - The Time Machine [B002V0QCYU]/The Time Machine.mp3',
    mp3({ title: 'The Time Machine' }),
  )

  // Stray files of a NAS and of macOS.
  put('.DS_Store', 'Bud1')
  put('Jane Austen/._Pride.mp3', 'AppleDouble')
  put('Jane Austen/@eaDir/cover.jpg/SYNOFILE_THUMB_M.jpg', await cover('#000000', 10))
  put('H. G. Wells/Thumbs.db', 'x')
}

const drawn = () => cover('#446688', 300).then((jpeg) => sharp(jpeg).png().toBuffer())

interface CalibreBook {
  readonly id: number
  readonly author: string
  readonly title: string
  readonly more?: string
}

const calibreOpf = ({ id, author, title, more = '' }: CalibreBook) => `<?xml version='1.0' encoding='utf-8'?>
<package xmlns="http://www.idpf.org/2007/opf" unique-identifier="uuid_id" version="2.0">
    <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
        <dc:identifier opf:scheme="calibre" id="calibre_id">${id}</dc:identifier>
        <dc:identifier opf:scheme="uuid" id="uuid_id">8b0a3b0e-6f4c-4c1e-9d3e-00000000000${id}</dc:identifier>
        <dc:title>${title}</dc:title>
        <dc:creator opf:file-as="${author.split(' ').toReversed().join(', ')}" opf:role="aut">${author}</dc:creator>
        <dc:contributor opf:file-as="calibre" opf:role="bkp">calibre (7.6.0) [https://calibre-ebook.com]</dc:contributor>
        <dc:date>0101-01-01T00:00:00+00:00</dc:date>
        <dc:language>eng</dc:language>${more}
        <meta name="calibre:timestamp" content="2024-05-04T09:00:00+00:00"/>
        <meta name="calibre:title_sort" content="${title}"/>
    </metadata>
    <guide><reference type="cover" title="Cover" href="cover.jpg"/></guide>
</package>
`

/** Three e-books in Calibre's layout, one of them in a format that browsers can't open. */
export async function writeCalibre(root: string): Promise<void> {
  const put = writer(root)
  const db = new DatabaseSync((mkdirSync(root, { recursive: true }), join(root, 'metadata.db')))
  db.exec('create table books (id integer primary key, title text, path text)')
  const books: readonly (CalibreBook & { format: string })[] = [
    {
      id: 1,
      author: 'George Eliot',
      title: 'Middlemarch',
      format: 'epub',
      more: `
        <dc:publisher>Standard Ebooks</dc:publisher>
        <dc:identifier opf:scheme="ISBN">9780141439549</dc:identifier>
        <dc:description>&lt;div&gt;&lt;p&gt;A study of &lt;b&gt;provincial&lt;/b&gt; life.&lt;/p&gt;&lt;/div&gt;</dc:description>
        <dc:subject>Domestic fiction</dc:subject>`,
    },
    {
      id: 2,
      author: 'Anthony Trollope',
      title: 'Barchester Towers',
      format: 'epub',
      more: `
        <meta name="calibre:series" content="Chronicles of Barsetshire"/>
        <meta name="calibre:series_index" content="2.0"/>`,
    },
    { id: 3, author: 'Anthony Trollope', title: 'The Warden', format: 'azw3' },
  ]
  for (const book of books) {
    const folder = `${book.author}/${book.title} (${book.id})`
    db.prepare('insert into books values (?, ?, ?)').run(book.id, book.title, folder)
    put(`${folder}/metadata.opf`, calibreOpf(book))
    put(`${folder}/cover.jpg`, await cover('#665522', 400))
    const text = book.format === 'epub' ? await epub(book) : Buffer.from('TPZ0 not for browsers')
    put(`${folder}/${book.title} - ${book.author}.${book.format}`, text)
  }
  db.close()
  put('metadata_db_prefs_backup.json', { library_view_states: {} })
  put('.caltrash/b/4/metadata.opf', calibreOpf({ id: 4, author: 'Nobody', title: 'Thrown Away' }))
}

export interface BadFile {
  readonly name: string
  /** A match for the report on this title. */
  readonly says: RegExp
}

export const badFiles: readonly BadFile[] = [
  { name: 'Zero Bytes', says: /Zero Bytes: 1\.mp3 is empty/ },
  { name: 'A Picture Called Sound', says: /A Picture Called Sound: 1\.mp3 is not MP3 sound/ },
  { name: 'Cut Off', says: /Cut Off: 1\.mp3 is not MP3 sound/ },
  { name: 'Half an Archive', says: /Half an Archive: book\.epub is not an EPUB/ },
  { name: 'Protected', says: /Protected: book\.epub is locked by copy protection/ },
  { name: 'No Spine', says: /No Spine: book\.epub has no text/ },
  { name: 'A Bomb', says: /A Bomb: book\.epub is refused: it would unpack to/ },
  { name: 'A Huge Picture', says: /cover\.png has 400 megapixels/ },
  { name: 'A Broken Picture', says: /cover\.jpg cannot be read/ },
  { name: 'A Broken File', says: /A Broken File: book\.json is not valid JSON \(line 1\)/ },
  { name: 'A Mistyped Key', says: /did you mean "audiobook\.narrators"/ },
  { name: 'Metadata of Nobody', says: /metadata\.json cannot be read/ },
  { name: 'Other Sounds', says: /Other Sounds: .*1\.flac/ },
  { name: 'Both Directions', says: /U\+202E/ },
]

/** One valid title and fourteen that can't be sold. */
export async function writeBadFiles(root: string): Promise<void> {
  const put = writer(root)
  const title = (name: string, file: string, content: Content) => put(`${name}/${file}`, content)
  title('Good One', '1.mp3', mp3({ title: 'Good', album: 'Good One', artist: 'Ida Frost' }))
  title('Zero Bytes', '1.mp3', Buffer.alloc(0))
  title('A Picture Called Sound', '1.mp3', await cover('#123456'))
  title('Cut Off', '1.mp3', mp3({ title: 'Cut Off' }).subarray(0, 90))
  title('Half an Archive', 'book.epub', (await epub()).subarray(0, 300))
  title(
    'Protected',
    'book.epub',
    await epub({
      files: {
        'META-INF/encryption.xml':
          '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><CipherData><CipherReference URI="OEBPS/text/one.xhtml"/></CipherData></EncryptedData></encryption>',
        'META-INF/rights.xml': '<rights xmlns="http://ns.adobe.com/adept"/>',
      },
    }),
  )
  title(
    'No Spine',
    'book.epub',
    await epub({
      files: {
        'OEBPS/book.opf':
          '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>No Spine</dc:title></metadata><manifest/></package>',
      },
    }),
  )
  title('A Bomb', 'book.epub', await claimsToUnpackTo(1_200_000_000))
  title('A Huge Picture', '1.mp3', mp3({ title: 'Huge', album: 'A Huge Picture' }))
  title('A Huge Picture', 'cover.png', await claimsToBeWide(20_000))
  title('A Broken Picture', '1.mp3', mp3({ title: 'Broken', album: 'A Broken Picture' }))
  title('A Broken Picture', 'cover.jpg', 'no picture')
  title('A Broken File', '1.mp3', mp3({ title: 'x' }))
  title('A Broken File', 'book.json', '{ "title": "A Broken File", }')
  title('A Mistyped Key', '1.mp3', mp3({ title: 'x' }))
  title('A Mistyped Key', 'book.json', { title: 'A Mistyped Key', narrators: ['Edda Marlow'] })
  title('Metadata of Nobody', '1.mp3', mp3({ title: 'x' }))
  title('Metadata of Nobody', 'metadata.json', '{"title": ')
  title('Other Sounds', '1.flac', Buffer.from('fLaC'))
  title('Line\nBreak', '1.mp3', mp3({ title: 'Line' }))
  title('Both\u202eDirections', '1.mp3', mp3({ title: 'Direction' }))
}

/** An archive whose directory declares this size for its last file. */
async function claimsToUnpackTo(bytes: number): Promise<Buffer> {
  const zip = await new JSZip()
    .file('mimetype', 'application/epub+zip')
    .file('OEBPS/zeros.bin', '0')
    .generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' })
  for (const [signature, size] of [
    ['PK\u0003\u0004', 22],
    ['PK\u0001\u0002', 24],
  ] as const)
    zip.writeUInt32LE(bytes, zip.lastIndexOf(signature, undefined, 'latin1') + size)
  return zip
}

/** The start of a square PNG that declares this width. */
async function claimsToBeWide(pixels: number): Promise<Buffer> {
  const png = await drawn()
  png.writeUInt32BE(pixels, 16)
  png.writeUInt32BE(pixels, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

/** Lists that fail to import, fully or in part, and the report's text. */
export const badLists: readonly (readonly [name: string, says: RegExp])[] = [
  ['headings-only.csv', /The file holds no titles/],
  ['onix-2.1.xml', /The message is ONIX 2\.1 or older/],
  ['spreadsheet.csv', /line 6: The row has no title[\s\S]*2 created/],
]

/** Lists of titles from a distributor: CSV as spreadsheets save it, ONIX of three kinds. */
export function writeCatalogues(root: string): void {
  const put = writer(root)
  put(
    'spreadsheet.csv',
    Buffer.from(
      '\ufeffTitle;Authors;Narrators;ISBN;Price;Format;Language;Summary\r\n' +
        'Marram;Niall Garvey;Edda Marlow;9780306406157;9,99;Audiobook;en;"Two lines,\r\nin one cell; with ""quotes"""\r\n' +
        'Samphire 🌱;Niall Garvey;;9781861972712;5,99;e-book;en;\r\n' +
        ';Nobody;;;1,00;audiobook;en;no title\r\n' +
        'Wrong number;Ida Frost;;9780306406158;4,00;audiobook;en;\r\n',
    ),
  )
  put(
    'windows.csv',
    Buffer.from(
      'title,authors,price,format\r\nCaf\xe9 \x93Blau\x94,J\xfcrgen Gro\xdf,7.50,audiobook\r\n',
      'latin1',
    ),
  )
  put('empty.csv', '')
  put('headings-only.csv', 'title,authors,price\n')
  put('no-title.csv', 'name of it,who\nMarram,Niall\n')
  put(
    'onix-2.1.xml',
    '<?xml version="1.0"?><ONIXMessage><Header><FromCompany>Slate Yard</FromCompany></Header><Product><RecordReference>x.1</RecordReference><NotificationType>03</NotificationType><ProductForm>AJ</ProductForm><Title><TitleType>01</TitleType><TitleText>Old</TitleText></Title></Product></ONIXMessage>',
  )
  const onix = onix3()
  put('onix-3.xml', onix)
  put('onix-3.xml.gz', gzipSync(onix))
  put('onix-cut.xml', onix.slice(0, -400))
  put(
    'onix-entities.xml',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference"><Product><RecordReference>&b;</RecordReference></Product></ONIXMessage>',
  )
}

function onix3(): string {
  const product = (reference: string, isbn: string, form: string, title: string, more: string) => `
  <Product><RecordReference>${reference}</RecordReference><NotificationType>03</NotificationType>
    <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${isbn}</IDValue></ProductIdentifier>
    <DescriptiveDetail><ProductComposition>00</ProductComposition>${form}
      <TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitlePrefix>The</TitlePrefix><TitleWithoutPrefix>${title}</TitleWithoutPrefix></TitleElement></TitleDetail>
      <Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><PersonNameInverted>Garvey, Niall</PersonNameInverted></Contributor>
      <Contributor><SequenceNumber>2</SequenceNumber><ContributorRole>E07</ContributorRole><PersonName>Edda Marlow</PersonName></Contributor>
      <Language><LanguageRole>01</LanguageRole><LanguageCode>eng</LanguageCode></Language></DescriptiveDetail>
    <CollateralDetail><TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text textformat="05">&lt;p&gt;Salt &amp;amp; wind.&lt;/p&gt;</Text></TextContent></CollateralDetail>
    <PublishingDetail><Publisher><PublishingRole>01</PublishingRole><PublisherName>Slate Yard</PublisherName></Publisher><PublishingStatus>04</PublishingStatus></PublishingDetail>
    ${more}</Product>`
  const supply = (price: string) =>
    `<ProductSupply><SupplyDetail><Supplier><SupplierRole>01</SupplierRole><SupplierName>Slate Yard</SupplierName></Supplier><ProductAvailability>20</ProductAvailability>${price}</SupplyDetail></ProductSupply>`
  const pounds = (amount: string) =>
    `<Price><PriceType>02</PriceType><PriceAmount>${amount}</PriceAmount><CurrencyCode>GBP</CurrencyCode></Price>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference"><Header><Sender><SenderName>Slate Yard</SenderName></Sender><SentDateTime>20260301</SentDateTime></Header>${[
    product(
      'sy.1',
      '9780198526636',
      '<ProductForm>AJ</ProductForm><ProductFormDetail>A103</ProductFormDetail>',
      'Thrift',
      supply(pounds('9.99')),
    ),
    product(
      'sy.2',
      '9780140449136',
      '<ProductForm>ED</ProductForm><ProductFormDetail>E101</ProductFormDetail>',
      'Saltings',
      supply(pounds('6.49')),
    ),
    product('sy.3', '9780140449266', '<ProductForm>BC</ProductForm>', 'Paperback', supply(pounds('8.99'))),
    product(
      'sy.4',
      '9780140449181',
      '<ProductForm>AJ</ProductForm>',
      'Dollars',
      supply(
        '<Price><PriceType>02</PriceType><PriceAmount>9.99</PriceAmount><CurrencyCode>USD</CurrencyCode></Price>',
      ),
    ),
  ].join('')}
</ONIXMessage>`
}
