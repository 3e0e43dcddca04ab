import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { fingerprint } from '#server/integrations/media/files.ts'
import { accessibilityOf } from '../accessibility.ts'
import type { FoundEbook } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import { describePackage } from './sidecar-files.ts'
import { readXml, type XmlNode } from '../xml.ts'

/** Bytes; far above the text files of a book, far below a zip bomb. */
const LARGEST_PART = 16 * 1024 * 1024
/** A book of two thousand pictures has no more. */
const MOST_PARTS = 10_000
/** Bytes of all parts together; ten times a book full of pictures. */
const LARGEST_UNPACKED = 1024 * 1024 * 1024
/** Reading systems load these files whole, unlike pictures and sound. */
const IS_TEXT = /\.(?:x?html?|xml|css|svg|opf|ncx|js)$/i
/** Obfuscated fonts are allowed. Any other encryption makes the file unreadable for its buyer. */
const FONT_SCRAMBLING = ['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']

/** @throws `ImportRefused` for a file that no reading system could open */
export async function readEpub(path: string, name: string): Promise<FoundEbook> {
  const file = await fingerprint(path)
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => {
    throw new ImportRefused('is not an EPUB: it cannot be unpacked')
  })
  try {
    return { name, path, ...file, ...(await describe(await partsOf(zip))) }
  } catch (error) {
    throw error instanceof ImportRefused ? error : new ImportRefused('is damaged: it cannot be unpacked')
  } finally {
    zip.close()
  }
}

interface Parts {
  has(name: string): boolean
  bytes(name: string): Promise<Buffer>
}

async function partsOf(zip: ZipFile): Promise<Parts> {
  if (zip.entryCount > MOST_PARTS)
    throw new ImportRefused(`is refused: it is packed from ${zip.entryCount} files`)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  await refuseBombs(zip, [...entries.values()])
  return {
    has: (name) => entries.has(name),
    async bytes(name) {
      const entry = entries.get(name)
      if (!entry) throw new ImportRefused(`is not an EPUB: ${name} is missing from it`)
      if (entry.uncompressedSize > LARGEST_PART)
        throw new ImportRefused(`is refused: ${name} in it is too large`)
      if (entry.isEncrypted()) throw new ImportRefused('is locked with a password')
      return buffer(await zip.openReadStreamPromise(entry))
    },
  }
}

/** Gigabytes would crash a reader's browser. Unpacks each part, because its claimed size may be wrong. */
async function refuseBombs(zip: ZipFile, entries: readonly Entry[]): Promise<void> {
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (unpacked > LARGEST_UNPACKED)
    throw new ImportRefused(`is refused: it would unpack to ${Math.round(unpacked / 1_000_000)} MB`)
  for (const entry of entries) {
    if (!IS_TEXT.test(entry.fileName)) continue
    if (entry.uncompressedSize > LARGEST_PART)
      throw new ImportRefused(`is refused: ${entry.fileName} in it is too large`)
    // A part larger than its claimed size makes the stream fail.
    if (!entry.isEncrypted()) for await (const _ of await zip.openReadStreamPromise(entry)) void _
  }
}

async function describe(parts: Parts): Promise<Omit<FoundEbook, 'name' | 'path' | 'sha256' | 'bytes'>> {
  if (!parts.has('META-INF/container.xml'))
    throw new ImportRefused('is not an EPUB: META-INF/container.xml is missing from it')
  if (parts.has('META-INF/encryption.xml')) refuseLocked(await xml(parts, 'META-INF/encryption.xml'))
  const container = await xml(parts, 'META-INF/container.xml')
  const opf = container.all('container', 'rootfiles', 'rootfile')[0]?.attribute('full-path')
  if (!opf) throw new ImportRefused('is not an EPUB: its container names no package')
  const folder = posix.dirname(opf)
  const document = await xml(parts, opf)
  const items = document.all('package', 'manifest', 'item')
  const inside = (href: string) => posix.normalize(posix.join(folder, decodeURIComponent(href)))

  const spine = document
    .all('package', 'spine', 'itemref')
    .map((reference) => items.find((item) => item.attribute('id') === reference.attribute('idref')))
  const first = spine.map((item) => item?.attribute('href')).find(Boolean)
  if (!first || !parts.has(inside(first))) throw new ImportRefused('has no text: its spine leads to nothing')

  const metadata = (name: string) => document.all('package', 'metadata', name)
  const coverItem =
    items.find((item) => item.attribute('properties').split(/\s+/).includes('cover-image')) ??
    coverOfEpub2(metadata('meta'), items)
  const cover = coverItem?.attribute('href')
  const isPicture = /^image\/(jpeg|png)$/.test(coverItem?.attribute('media-type') ?? '')
  const {
    title,
    authors = [],
    publisher,
    language,
    description,
    published,
    series = [],
    isbn,
  } = describePackage(document)
  return {
    title,
    authors,
    publisher,
    language,
    description,
    published,
    series,
    isbn,
    accessibility: accessibilityOf(
      metadata('meta').map((meta) => ({
        property: meta.attribute('property') || meta.attribute('name'),
        value: meta.own || meta.attribute('content') || undefined,
      })),
    ),
    cover: cover && isPicture && parts.has(inside(cover)) ? await parts.bytes(inside(cover)) : undefined,
  }
}

function coverOfEpub2(metas: readonly XmlNode[], items: readonly XmlNode[]): XmlNode | undefined {
  const id = metas.find((meta) => meta.attribute('name') === 'cover')?.attribute('content')
  return id ? items.find((item) => item.attribute('id') === id) : undefined
}

function refuseLocked(encryption: XmlNode): void {
  const methods = encryption
    .all('encryption', 'EncryptedData')
    .map((data) => data.all('EncryptionMethod')[0]?.attribute('Algorithm') ?? '')
  if (methods.some((algorithm) => !FONT_SCRAMBLING.includes(algorithm)))
    throw new ImportRefused('is locked by copy protection: none of your readers could open it')
}

async function xml(parts: Parts, name: string): Promise<XmlNode> {
  try {
    return readXml(await parts.bytes(name))
  } catch (error) {
    throw error instanceof ImportRefused
      ? error
      : new ImportRefused(`is damaged: ${name} in it cannot be read`)
  }
}
