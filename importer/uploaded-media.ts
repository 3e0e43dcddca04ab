import sharp from 'sharp'
import type { Importer } from '#server/office/importer.ts'
import { refused } from '#server/http/http-errors.ts'
import { lockImports } from '#server/features/catalogue/vocabulary-queries.ts'
import { writeMedia } from './apply.ts'
import { compositionsFor } from './covers/choose-composition.ts'
import { cover, thumbnail } from './covers/draw-cover.ts'
import { type CoverSource, coverId, MOST_PIXELS } from './covers/render.ts'
import { storeMissingPictures } from './covers/store-missing-pictures.ts'

/** Wide enough for the small rendition. */
const LEAST_WIDTH = 330

export const storeCover: Importer['storeCover'] = async (shop, picture) => {
  const { format, width, height } = await sharp(picture, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ format: undefined, width: 0, height: 0 }))
  if (format !== 'jpeg' && format !== 'png' && format !== 'webp')
    throw refused('A cover is a JPEG, PNG or WebP picture; this file is none.')
  if (width * height > MOST_PIXELS) throw refused('This picture has too many pixels to be a cover.')
  if (width < LEAST_WIDTH)
    throw refused(`This picture is ${width} pixels wide; a cover needs ${LEAST_WIDTH}.`)
  try {
    return await store(shop, { picture })
  } catch {
    throw refused('This picture is damaged.')
  }
}

export const drawCover: Importer['drawCover'] = (shop, title) => {
  const drawing = { ...title, composition: compositionsFor(title)[0] }
  return store(shop, { picture: Buffer.from(cover(drawing)), thumbnail: Buffer.from(thumbnail(drawing)) })
}

export async function store(
  { db, media }: Parameters<Importer['storeCover']>[0],
  source: CoverSource,
): Promise<string> {
  const id = coverId(source)
  const rendered = await storeMissingPictures({ db, media }, [{ id, source }])
  await db.transaction(async (tx) => {
    await lockImports(tx)
    await writeMedia(tx, [], rendered)
  })
  return id
}
