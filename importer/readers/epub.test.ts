import JSZip from 'jszip'
import { afterAll, describe, expect, test } from 'vitest'
import { epub, type EpubOf, OwnersFolder, picture } from '../fixtures/owners-folder.ts'
import { readEpub } from './epub.ts'

const owner = new OwnersFolder()
afterAll(() => owner.remove())

const reading = async (book: EpubOf | Buffer) => {
  owner.put('book.epub', Buffer.isBuffer(book) ? book : await epub(book))
  return readEpub(owner.folder('book.epub'), 'book.epub')
}

describe('an EPUB', () => {
  test('supplies its title, author and cover', async () => {
    const cover = await picture('#123456')
    expect(await reading({ title: 'Peat &amp; Ash', cover })).toMatchObject({
      title: 'Peat & Ash',
      authors: ['Niall Garvey'],
      publisher: 'Slate & Yard',
      language: 'en-GB',
      published: '2019-04',
      description: '<p>A bog, and <em>who</em> lies in it.</p><script>x</script>',
      cover,
    })
  })

  test('listening: supplies its accessibility metadata in the notation of either EPUB version', async () => {
    const opf = (metas: string) =>
      `<package version="3.0"><metadata><title>Old</title>${metas}</metadata>
      <manifest><item id="one" href="text/one.xhtml"/></manifest><spine><itemref idref="one"/></spine></package>`
    const said = async (metas: string) =>
      (await reading({ files: { 'OEBPS/book.opf': opf(metas) } })).accessibility
    expect(
      await said(`<meta property="schema:accessMode">textual</meta>
        <meta property="schema:accessibilityFeature"> alternativeText </meta>
        <meta property="schema:accessibilityFeature">alternativeText</meta>
        <meta name="schema:accessibilityHazard" content="none"/>
        <meta property="schema:accessModeSufficient">textual, visual</meta>
        <meta property="schema:accessibilitySummary">All of it is text.</meta>`),
    ).toEqual({
      codes: [...['feature:alternativeText', 'hazard:none', 'mode:textual', 'sufficient:textual,visual']],
      summary: 'All of it is text.',
    })
    expect(await said('<meta property="dcterms:modified">2020</meta>')).toEqual({ codes: [], summary: null })
  })

  test('keeps a title that is a number as it is written', async () => {
    expect((await reading({ title: '007' })).title).toBe('007')
  })

  test('finds the cover in an EPUB 2', async () => {
    const opf = `<package version="2.0"><metadata><title>Old</title><meta name="cover" content="front"/></metadata>
      <manifest><item id="one" href="text/one.xhtml"/><item id="front" href="cover.png" media-type="image/png"/></manifest>
      <spine><itemref idref="one"/></spine></package>`
    const cover = await picture('#654321')
    expect(await reading({ cover, files: { 'OEBPS/book.opf': opf } })).toMatchObject({ title: 'Old', cover })
  })

  test('is refused if no reader could open it', async () => {
    const refusals: [EpubOf | Buffer, RegExp][] = [
      [Buffer.from('PK, but no more than that'), /cannot be unpacked/],
      [{ files: { 'META-INF/container.xml': null } }, /container\.xml is missing/],
      [{ files: { 'OEBPS/book.opf': null } }, /book\.opf is missing/],
      [{ files: { 'OEBPS/book.opf': '<package><metadata>' } }, /spine leads to nothing|cannot be read/],
      [{ files: { 'OEBPS/text/one.xhtml': null } }, /spine leads to nothing/],
      [
        { files: { 'META-INF/encryption.xml': locked('http://www.w3.org/2001/04/xmlenc#aes128-cbc') } },
        /copy protection/,
      ],
    ]
    for (const [book, reason] of refusals) await expect(reading(book)).rejects.toThrow(reason)
    const paths = { files: { '../../outside.xhtml': 'out' } }
    await expect(reading(paths)).rejects.toThrow('is damaged: it cannot be unpacked')
    await expect(reading(claiming(await epub(), { files: 20_000 }))).rejects.toThrow(
      'is refused: it is packed from 20000 files',
    )
    const huge = claiming(await epub({ files: { 'OEBPS/map.png': 'x'.repeat(4321) } }), { bytes: 2 ** 31 })
    await expect(reading(huge)).rejects.toThrow('is refused: it would unpack to 2147 MB')
    const bomb = { files: { 'OEBPS/text/one.xhtml': ' '.repeat(17 * 1024 * 1024) } }
    await expect(reading(bomb)).rejects.toThrow('is refused: OEBPS/text/one.xhtml in it is too large')
    await expect(reading(await sayingLess(await epub(bomb)))).rejects.toThrow('is damaged')
    await expect(
      reading({ files: { 'META-INF/encryption.xml': locked('http://www.idpf.org/2008/embedding') } }),
    ).resolves.toBeDefined()
  })
})

/** The same file, but its directory claims more files, or more bytes of the part that has 4321. */
function claiming(book: Buffer, { files, bytes }: { files?: number; bytes?: number }): Buffer {
  const told = Buffer.from(book)
  const end = told.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (files !== undefined) told.writeUInt16LE(files, end + 10)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(4321)
  const first = told.readUInt32LE(end + 16)
  for (let at = told.indexOf(size, first); bytes && at >= 0; at = told.indexOf(size, at + 4))
    told.writeUInt32LE(bytes, at)
  return told
}

/** The same file, but a part of 17 MB claims a size of a thousand bytes. */
async function sayingLess(book: Buffer): Promise<Buffer> {
  const [size, less] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32LE(17 * 1024 * 1024)
  less.writeUInt32LE(1000)
  const packed = await JSZip.loadAsync(book)
  const told = await packed.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' })
  for (let at = told.indexOf(size); at >= 0; at = told.indexOf(size, at + 4)) less.copy(told, at)
  return told
}

const locked = (algorithm: string): string =>
  `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
  <enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData></encryption>`
