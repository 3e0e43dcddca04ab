import { Readable } from 'node:stream'
import type { ZipArchive } from 'archiver'
import { type MediaStore, MissingMedia } from '../../integrations/media/media-store.ts'

export interface ZipEntry {
  readonly name: string
  readonly bytes: number
  /** Opened when its turn comes. */
  readonly open: () => Promise<Readable>
}

export const textEntry = (name: string, text: string): ZipEntry => {
  const bytes = Buffer.from(text)
  return { name, bytes: bytes.length, open: async () => Readable.from([bytes], { objectMode: false }) }
}

/** @throws MissingMedia if the store lacks it */
export async function mediaEntry(
  media: Pick<MediaStore, 'size' | 'stream'>,
  name: string,
  path: string,
): Promise<ZipEntry> {
  const bytes = await media.size(path)
  if (bytes === undefined) throw new MissingMedia(`${path} is missing`)
  return { name, bytes, open: () => media.stream(path) }
}

/** Known in advance because nothing is compressed. Undefined if the format would change to zip64. */
export function zipBytes(entries: readonly ZipEntry[]): number | undefined {
  // Per file: local header 30, data descriptor 16, central header 46, and its name twice. At the end: a record of 22.
  const total = entries.reduce(
    (sum, { name, bytes }) => sum + 30 + 16 + 46 + 2 * Buffer.byteLength(name) + bytes,
    22,
  )
  return total > 0xff_ff_ff_ff || entries.length > 0xff_ff ? undefined : total
}

/** Nothing is compressed, because audio isn't compressible. Only one file is open at a time. */
export async function zipStream(entries: readonly ZipEntry[], changedAt: Date): Promise<Readable> {
  const { ZipArchive } = await import('archiver')
  const zip = new ZipArchive({ store: true })
  void appendAll(zip, entries, changedAt).catch((error: Error) => zip.destroy(error))
  return zip
}

async function appendAll(zip: ZipArchive, entries: readonly ZipEntry[], date: Date): Promise<void> {
  let open: Readable | undefined
  // Close the open file if the client disconnects.
  zip.once('close', () => open?.destroy())
  for (const { name, open: openEntry } of entries) {
    if (zip.destroyed) return
    const file = (open = await openEntry())
    if (zip.destroyed) return void file.destroy()
    await new Promise<void>((resolve, reject) => {
      file.once('error', reject).once('close', resolve)
      zip.append(file, { name, date })
    })
  }
  await zip.finalize()
}
