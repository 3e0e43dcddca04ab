import { join } from 'node:path'

/** The path of a stored file: by its content, spread over 256 folders. */
export const mediaPath = (
  mediaDir: string,
  { sha256, extension }: { sha256: string; extension: string },
): string => join(mediaDir, sha256.slice(0, 2), `${sha256}.${extension}`)

export const COVER_RENDITIONS = [
  '330.avif',
  '330.webp',
  '900.avif',
  '900.webp',
  '900.jpg',
  'thumb.webp',
] as const
export type CoverRendition = (typeof COVER_RENDITIONS)[number]

/** The path of one rendition of a cover, below `/media/` as on the disk; spread over 256 folders. */
export const coverPath = (mediaDir: string, id: string, rendition: CoverRendition): string =>
  join(mediaDir, 'covers', id.slice(0, 2), `${id}-${rendition}`)
