import { basename, extname } from 'node:path'
import sharp from 'sharp'
import { lockImports } from '#server/features/catalogue/vocabulary-queries.ts'
import { refused } from '#server/http/http-errors.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import type { Importer } from '#server/office/importer.ts'
import { writeMedia } from './apply.ts'
import { readEpub } from './readers/epub.ts'
import { readM4a, readMp3 } from './readers/sound.ts'
import { ImportRefused } from './refused.ts'
import { store } from './uploaded-media.ts'

/** An SVG could hold scripts, and is drawn larger than its file. */
const KINDS: ReadonlySet<string | undefined> = new Set(['jpeg', 'png', 'webp'])
/** Decoded, it needs four bytes each. */
const MOST_PIXELS = 40_000_000

export const storePicture: Importer['storePicture'] = async (shop, bytes) => {
  // Its first bytes say what it is; its size is read before a pixel is.
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw refused('This is no JPEG, PNG or WebP picture.')
    })
  if (!KINDS.has(format)) throw refused('This is no JPEG, PNG or WebP picture.')
  if (width * height > MOST_PIXELS)
    throw refused(`This picture has ${width} by ${height} pixels. 1,800 pixels are wide enough.`)
  // A torn file has a head that can be read.
  await sharp(bytes, { failOn: 'error' })
    .resize(8, 8)
    .toBuffer()
    .catch(() => {
      throw refused('This picture can’t be read. It may be damaged.')
    })
  return store(shop, { picture: bytes })
}

export const storeSound: Importer['storeSound'] = async ({ db, media }, path) => {
  const name = basename(path)
  const read = extname(path).toLowerCase() === '.mp3' ? readMp3 : readM4a
  const file = await read(path, name).catch((error: unknown) => {
    throw error instanceof ImportRefused ? refused(`${name} ${error.message}.`) : error
  })
  await storeFile({ db, media }, path, file)
  return { id: file.sha256, seconds: Math.round(file.durationMs / 1000) }
}

export const storeText: Importer['storeText'] = async (shop, path) => {
  const name = basename(path)
  const { sha256, bytes } = await readEpub(path, name).catch((error: unknown) => {
    throw error instanceof ImportRefused ? refused(`${name} ${error.message}.`) : error
  })
  await storeFile(shop, path, { sha256, bytes, extension: 'epub', durationMs: null })
  return sha256
}

async function storeFile(
  { db, media }: Parameters<Importer['storeSound']>[0],
  path: string,
  file: Parameters<typeof writeMedia>[1][number],
): Promise<void> {
  const { sha256, bytes } = file
  await media.put(mediaPath(file), { file: path, sha256, bytes })
  await db.transaction(async (tx) => {
    await lockImports(tx)
    await writeMedia(tx, [file], [])
  })
}
