import type { Readable } from 'node:stream'
import type { ZipArchive } from 'archiver'
import { type MediaStore, MissingMedia } from '../../integrations/media/media-store.ts'
import { mediaPath } from '../../integrations/media/paths.ts'
import { fileName } from './send-file.ts'
import type { StoredFile } from './queries.ts'

interface Part extends StoredFile {
  readonly number: number
  readonly title: string
}

interface Entry {
  readonly name: string
  readonly path: string
  readonly bytes: number
}

/** The names sort in the order of the book. @throws MissingMedia if the store lacks a file */
export async function zipEntries(media: Pick<MediaStore, 'size'>, parts: readonly Part[]): Promise<Entry[]> {
  const width = Math.max(2, String(parts.at(-1)?.number ?? 0).length)
  return Promise.all(
    parts.map(async ({ number, title, sha256, extension }) => {
      const path = mediaPath({ sha256, extension })
      const bytes = await media.size(path)
      if (bytes === undefined) throw new MissingMedia(`${path} is missing`)
      return {
        name: fileName(`${String(number).padStart(width, '0')} ${title}`, extension),
        path,
        bytes,
      }
    }),
  )
}

/** Known in advance because nothing is compressed. Undefined if the format would change to zip64. */
export function zipBytes(entries: readonly Entry[]): number | undefined {
  // Per file: local header 30, data descriptor 16, central header 46, and its name twice. At the end: a record of 22.
  const total = entries.reduce(
    (sum, { name, bytes }) => sum + 30 + 16 + 46 + 2 * Buffer.byteLength(name) + bytes,
    22,
  )
  return total > 0xff_ff_ff_ff || entries.length > 0xff_ff ? undefined : total
}

/** Audio does not compress. Only one file is open at a time. */
export async function zipStream(
  media: Pick<MediaStore, 'stream'>,
  entries: readonly Entry[],
  changedAt: Date,
): Promise<Readable> {
  const { ZipArchive } = await import('archiver')
  const zip = new ZipArchive({ store: true })
  void appendAll(zip, media, entries, changedAt).catch((error: Error) => zip.destroy(error))
  return zip
}

async function appendAll(
  zip: ZipArchive,
  media: Pick<MediaStore, 'stream'>,
  entries: readonly Entry[],
  date: Date,
): Promise<void> {
  let open: Readable | undefined
  // Close the open file if the client disconnects.
  zip.once('close', () => open?.destroy())
  for (const { name, path } of entries) {
    if (zip.destroyed) return
    const file = (open = await media.stream(path))
    if (zip.destroyed) return void file.destroy()
    await new Promise<void>((resolve, reject) => {
      file.once('error', reject).once('close', resolve)
      zip.append(file, { name, date })
    })
  }
  await zip.finalize()
}
