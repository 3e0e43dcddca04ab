import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Entry, ZipFile } from 'yauzl'
import type { FoundHere } from '#contract/office/imports.ts'
import { counted } from '../../print/table.ts'
import type { Shop } from '../../shop.ts'
import {
  cleanPath,
  folderOf,
  isPicture,
  MOST_FILES,
  PICTURES,
  SPARE_BYTES,
  unfinishedFolder,
  UploadRefused,
} from './uploads.ts'

/** Sound and pictures hardly shrink. Small archives may unpack to this anyway. */
const MOST_TIMES_LARGER = 10
const SMALL_BYTES = 200_000_000

/**
 * Unpacks the ZIP files of an import into its folder, and removes them. Each is unpacked as a whole or not at all.
 *
 * @returns each archive, with a line of the report if it was refused or files of it were left out
 */
export async function unpackArchives(
  shop: Pick<Shop, 'config' | 'disk'>,
  batchId: string,
): Promise<Map<string, FoundHere | undefined>> {
  const folder = folderOf(shop, batchId)
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.zip$/i.test(name))
  const archives = new Map<string, FoundHere | undefined>()
  for (const name of names) {
    const path = join(folder, name)
    const details = await unpack(shop, path, folder).catch((error: unknown) => [
      error instanceof UploadRefused ? error.body : 'It cannot be unpacked: it is damaged.',
    ])
    await rm(path)
    archives.set(
      name,
      details.length > 0
        ? { folder: name, outcome: 'refused', slug: null, about: name, details, left: [], notes: [] }
        : undefined,
    )
  }
  return archives
}

/** @throws {UploadRefused} for a ZIP that is dangerous. @returns why files of it were left out */
async function unpack(shop: Pick<Shop, 'config' | 'disk'>, path: string, folder: string): Promise<string[]> {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const unpacked = join(unfinishedFolder(shop), `${basename(folder)} ${basename(path)}`)
  try {
    const entries = await entriesOf(shop, zip, (await stat(path)).size)
    const leftOut: string[] = []
    const files: string[] = []
    for (const entry of entries) {
      const name = pathOf(entry, basename(path, extname(path)))
      if (name instanceof UploadRefused) leftOut.push(name.body)
      else {
        const to = join(unpacked, name)
        await mkdir(dirname(to), { recursive: true })
        // A part that is larger than it claims makes the stream fail.
        await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(to))
        if (PICTURES.has(extname(name).toLowerCase()) && !(await isPicture(to)))
          leftOut.push(`${name}: this is no JPEG, PNG or WebP picture.`)
        else files.push(name)
      }
    }
    for (const name of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await rename(join(unpacked, name), join(folder, name))
    }
    const more = leftOut.length - 20
    return more > 0 ? [...leftOut.slice(0, 20), `${counted(more, 'other file')} left out.`] : leftOut
  } finally {
    zip.close()
    await rm(unpacked, { recursive: true, force: true })
  }
}

async function entriesOf(
  shop: Pick<Shop, 'disk'>,
  zip: ZipFile,
  packedBytes: number,
): Promise<readonly Entry[]> {
  if (zip.entryCount > MOST_FILES) throw new UploadRefused(`It has more than ${MOST_FILES} files.`)
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) if (!isLitter(entry.fileName)) entries.push(entry)
  if (entries.some((entry) => entry.isEncrypted())) throw new UploadRefused('It is locked with a password.')
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  if (bytes > Math.max(SMALL_BYTES, packedBytes * MOST_TIMES_LARGER))
    throw new UploadRefused(`It would unpack to ${Math.round(bytes / 1_000_000)} MB.`)
  const { freeBytes } = await shop.disk.space()
  if (bytes + SPARE_BYTES > freeBytes)
    throw new UploadRefused('The disk of the shop has no room for what is in it.')
  return entries
}

const isLitter = (name: string): boolean =>
  name.endsWith('/') ||
  name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX') ||
  /(?:^|\/)(?:thumbs\.db|desktop\.ini)$/i.test(name)

/** Files at the top of a ZIP belong to one title, named after the ZIP. A catalogue (CSV, XML) stays at the top. */
function pathOf({ fileName }: Entry, zipName: string): string | UploadRefused {
  const isBelow = fileName.includes('/') || /\.(?:csv|xml)$/i.test(fileName)
  try {
    const path = cleanPath(isBelow ? fileName : `${zipName}/${fileName}`)
    return /\.zip$/i.test(path) ? new UploadRefused(`${fileName}: a ZIP inside another one.`) : path
  } catch (error) {
    if (error instanceof UploadRefused) return error
    throw error
  }
}
