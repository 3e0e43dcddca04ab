import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import JSZip from 'jszip'
import { parseFile } from 'music-metadata'
import { describe, expect, test } from 'vitest'
import { audiobooks, ebooks, here, inTitle, named, spoken } from './read-demo.ts'

describe('sound', () => {
  test('at least 12 audiobooks are really spoken, three chapters or more, 40 to 120 seconds each', async () => {
    const demanded = `the-lamplighters-ledger a-field-guide-to-small-hours salt-road-letters
      the-orchard-at-low-tide nine-rooms-of-rain tin-whistle-winter the-customs-house a-house-of-sundays`
    expect(spoken.map(({ slug }) => slug)).toEqual(expect.arrayContaining(demanded.split(/\s+/)))
    expect(spoken.length).toBeGreaterThanOrEqual(12)
    expect(named('the-lamplighters-ledger').audiobook?.chapters).toHaveLength(4)
    for (const book of spoken) {
      const chapters = book.audiobook!.chapters!
      expect(chapters.length, book.slug).toBeGreaterThanOrEqual(3)
      for (const [index, { file, title }] of chapters.entries()) {
        const { format, common } = await parseFile(inTitle(book, file), { duration: true })
        expect(format.duration, file).toBeGreaterThanOrEqual(40)
        expect(format.duration, file).toBeLessThanOrEqual(120)
        expect(format).toMatchObject({ sampleRate: 22_050, numberOfChannels: 1, bitrate: 40_000 })
        expect(common).toMatchObject({
          title,
          album: book.title,
          track: { no: index + 1, of: chapters.length },
        })
      }
    }
  }, 30_000)

  test('every audiobook but two has a spoken sample of 12 to 20 seconds', async () => {
    const silent = audiobooks.filter(({ audiobook }) => !audiobook?.sample).map(({ slug }) => slug)
    expect(silent).toEqual(['not-yet-bells', 'the-quiet-ferry'])
    for (const book of audiobooks.filter(({ audiobook }) => audiobook?.sample)) {
      const { format } = await parseFile(inTitle(book, book.audiobook!.sample!), { duration: true })
      expect(format.duration, book.slug).toBeGreaterThanOrEqual(12)
      expect(format.duration, book.slug).toBeLessThanOrEqual(20)
    }
  }, 30_000)

  test('the source text of every chapter lies beside its sound, under the same heading', () => {
    for (const book of spoken) {
      for (const [index, { title }] of book.audiobook!.chapters!.entries()) {
        const text = readFileSync(inTitle(book, `chapters/${String(index + 1).padStart(2, '0')}.txt`), 'utf8')
        expect(text.split('\n')[0]).toBe(`# ${title}`)
      }
    }
  })
})

describe('e-books', () => {
  test('every named file is an EPUB: mimetype first and stored, a package, a contents, three chapters or more', async () => {
    const bound = ebooks.filter(({ ebook }) => ebook?.file)
    expect(bound.length).toBe(ebooks.length - 1)
    for (const book of bound) {
      const bytes = readFileSync(inTitle(book, book.ebook!.file!))
      expect(bytes.subarray(30, 58).toString('latin1'), book.slug).toBe('mimetypeapplication/epub+zip')
      const zip = await JSZip.loadAsync(bytes)
      const text = (path: string) => zip.file(path)!.async('string')
      const packagePath = /full-path="([^"]+)"/.exec(await text('META-INF/container.xml'))![1]!
      const folder = packagePath.slice(0, packagePath.lastIndexOf('/') + 1)
      const opf = await text(packagePath)
      expect(opf).toMatch(/<meta property="dcterms:modified">\d{4}-\d\d-\d\dT00:00:00Z</)
      expect(opf).toContain(`<dc:title>${book.title}</dc:title>`)
      const hrefs = [...opf.matchAll(/ href="([^"]+)"/g)].map((match) => folder + match[1]!)
      for (const href of hrefs) expect(zip.file(href), `${book.slug} ${href}`).not.toBeNull()
      const inManifest = new Set(['mimetype', 'META-INF/container.xml', packagePath, ...hrefs])
      expect(Object.keys(zip.files).filter((path) => !inManifest.has(path))).toEqual([])
      expect(await text(`${folder}nav.xhtml`)).toContain('epub:type="toc"')
      const chapters = hrefs.filter((href) => href.includes('chapter-'))
      expect(chapters.length, book.slug).toBeGreaterThanOrEqual(3)
      for (const href of chapters)
        expect((await text(href)).match(/<p>/g)?.length, href).toBeGreaterThanOrEqual(3)
    }
  })
})

test('the whole of it stays below 24 MB', () => {
  const sizes = readdirSync(here, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(24_000_000)
})
