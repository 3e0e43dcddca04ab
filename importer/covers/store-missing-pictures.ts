import { inArray } from 'drizzle-orm'
import type { Db } from '#server/db/open.ts'
import { covers } from '#server/db/schema/media.ts'
import type { MediaStore } from '#server/integrations/media/media-store.ts'
import { COVER_RENDITIONS, coverPath } from '#server/integrations/media/paths.ts'
import { type CoverSource, type RenderedCover, renderCover } from './render.ts'

export async function storeMissingPictures(
  { db, media }: { readonly db: Db; readonly media: MediaStore },
  pictures: readonly { readonly id: string; readonly source: CoverSource }[],
): Promise<RenderedCover[]> {
  const known = await db
    .select({ id: covers.id })
    .from(covers)
    .where(
      inArray(
        covers.id,
        pictures.map(({ id }) => id),
      ),
    )
  const rendered = new Map<string, RenderedCover>()
  for (const { id, source } of pictures) {
    const there =
      known.some((cover) => cover.id === id) &&
      (await Promise.all(COVER_RENDITIONS.map((each) => media.size(coverPath(id, each)))))
    if (!rendered.has(id) && !(there && there.every((bytes) => bytes !== undefined)))
      rendered.set(id, await renderCover(media, source))
  }
  return [...rendered.values()]
}
