import { createHash } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import type { MediaStore } from '#server/integrations/media/media-store.ts'
import { coverPath, type CoverRendition } from '#server/integrations/media/paths.ts'

/** Width and height are those of the large rendition, in px. */
export interface RenderedCover {
  readonly id: string
  readonly placeholder: string
  readonly width: number
  readonly height: number
}

export interface CoverSource {
  readonly picture: Uint8Array
  /** Below 96 px; by default the middle of the picture. */
  readonly thumbnail?: Uint8Array
}

const LARGE = 900
const MEDIUM = 600
const SMALL = 330
const THUMB = 132
/** Far more than a cover needs (900×1800); protects the memory against decompression bombs. */
export const MOST_PIXELS = 100_000_000

/** Increase `GENERATION` when the rendering changes. */
export function coverId({ picture, thumbnail }: CoverSource): string {
  const hash = createHash('sha256').update(`cover ${GENERATION}\n`).update(picture)
  return hash
    .update(thumbnail ?? '')
    .digest('hex')
    .slice(0, 32)
}
const GENERATION = 1

/** @throws if the picture cannot be decoded */
export async function renderCover(
  media: Pick<MediaStore, 'put'>,
  source: CoverSource,
): Promise<RenderedCover> {
  const id = coverId(source)
  const large = await raster(source.picture)
  const { width, height } = large.info
  const whole = sharp(large.data, { raw: large.info })
  const medium = whole.clone().resize({ width: MEDIUM, withoutEnlargement: true })
  const small = whole.clone().resize({ width: SMALL, withoutEnlargement: true })
  const files: [CoverRendition, Sharp][] = [
    ['900.avif', whole.clone().avif({ quality: 58, effort: 1, chromaSubsampling: '4:4:4' })],
    ['900.webp', whole.clone().webp({ quality: 82, effort: 1 })],
    ['900.jpg', whole.clone().jpeg({ quality: 84, chromaSubsampling: '4:4:4' })],
    ['600.avif', medium.clone().avif({ quality: 60, effort: 1, chromaSubsampling: '4:4:4' })],
    ['600.webp', medium.clone().webp({ quality: 83, effort: 1 })],
    ['330.avif', small.clone().avif({ quality: 62, effort: 1, chromaSubsampling: '4:4:4' })],
    ['330.webp', small.clone().webp({ quality: 84, effort: 2, smartSubsample: true })],
    // For emails: Outlook on Windows shows neither WebP nor AVIF.
    ['330.jpg', small.clone().jpeg({ quality: 84, chromaSubsampling: '4:4:4' })],
    ['thumb.webp', thumb(source, whole).webp({ quality: 84, effort: 2, smartSubsample: true })],
  ]
  for (const [rendition, picture] of files)
    await media.put(coverPath(id, rendition), await picture.toBuffer())
  return { id, placeholder: await placeholderOf(small), width, height }
}

async function raster(picture: Uint8Array) {
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error' } as const
  const { format, width } = await sharp(picture, options).metadata()
  const vector = format === 'svg'
  // An SVG is rasterised at its target size; its own size corresponds to 72 dpi.
  const density = vector ? (72 * LARGE) / width : undefined
  return sharp(picture, density ? { ...options, density } : options)
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize({ width: LARGE, height: 2 * LARGE, fit: 'inside', withoutEnlargement: !vector })
    .raw()
    .toBuffer({ resolveWithObject: true })
}

const thumb = ({ thumbnail }: CoverSource, whole: Sharp): Sharp =>
  (thumbnail ? sharp(thumbnail) : whole.clone()).resize(THUMB, THUMB, { fit: 'cover' })

const BLOCKS = 4

/** 4×4 average colours, row by row: 96 hex digits. */
export async function placeholderOf(picture: Sharp): Promise<string> {
  const pixels = await picture
    .clone()
    .removeAlpha()
    .resize(BLOCKS, BLOCKS, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer()
  return pixels.toString('hex')
}
