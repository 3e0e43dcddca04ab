import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Db } from '../../db/open.ts'
import { forEachDue, untilNoneIsDue } from '../../due-work/for-each-due.ts'
import { mediaPath } from '../../integrations/media/paths.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { storeOwnFile, noteFileProblem, selectFilesDue, type FileDue } from './queries.ts'

const FILES_PER_QUERY = 20
/** The source file may be repaired later. A failure does not delay the other copies. */
const AGAIN_AFTER_MS = 3_600_000

/** Safe on several instances at once and after a crash: the same copy always has the same file name. */
export async function makeOwnFiles(
  shop: Pick<Shop, 'db' | 'media' | 'now' | 'log'>,
  signal?: AbortSignal,
): Promise<number> {
  const failedBefore = new Date(shop.now().getTime() - AGAIN_AFTER_MS)
  // Failed entries are not selected again for an hour, so this loop ends.
  const due = untilNoneIsDue((limit) => selectFilesDue(shop.db, failedBefore, limit), FILES_PER_QUERY)
  let made = 0
  const make = async (entry: FileDue) => {
    if (await makeOwnFile(shop, entry)) made += 1
  }
  await forEachDue(due, make, {
    log: shop.log,
    signal,
    problem: 'a file could not be made for its owner',
    about: ({ entryId }) => ({ entry: entryId }),
    onFailure: ({ entryId }, { error }) =>
      noteFileProblem(shop.db, entryId, {
        fileFailedAt: shop.now(),
        fileProblem: String(error instanceof Error ? error.message : error).slice(0, 500),
      }),
  })
  return made
}

async function makeOwnFile(
  { db, media, now }: Pick<Shop, 'db' | 'media' | 'now'>,
  due: FileDue,
): Promise<boolean> {
  const source = await buffer(await media.stream(mediaPath({ sha256: due.sourceId, extension: 'epub' })))
  const bytes = await personalFile(source, `This copy was made for ${due.owner}.`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await media.put(mediaPath({ sha256, extension: 'epub' }), bytes)
  return db.transaction(async (tx: Db) => {
    if (!(await storeOwnFile(tx, due.entryId, { sha256, bytes: bytes.length }))) return false
    await publish(tx, due.userId, { type: 'epub', eBook: `/api/e_books/${due.slug}` }, now())
    return true
  })
}

const ENTRY_DATE = new Date('2026-01-01T00:00:00Z')

async function personalFile(source: Uint8Array, rights: string): Promise<Uint8Array> {
  // Loaded with the first copy: most shops never create one.
  const { default: JSZip } = await import('jszip')
  const zip = await JSZip.loadAsync(source)
  const container = (await zip.file('META-INF/container.xml')?.async('string')) ?? ''
  const path = /full-path="([^"]+)"/.exec(container)?.[1]
  const description = path && (await zip.file(path)?.async('string'))
  if (!path || !description?.includes('</metadata>')) throw new Error('The EPUB has no description.')
  const line = `<dc:rights xmlns:dc="http://purl.org/dc/elements/1.1/">${escaped(rights)}</dc:rights>`
  zip.file(path, description.replace('</metadata>', `${line}</metadata>`), { date: ENTRY_DATE })
  // The EPUB format requires the `mimetype` entry to be uncompressed and first; replacing it keeps its place.
  zip.file('mimetype', 'application/epub+zip', { compression: 'STORE', date: ENTRY_DATE })
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE', platform: 'UNIX' })
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
