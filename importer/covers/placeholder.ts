import type { Sharp } from 'sharp'

const BLOCKS = 4

/** The 4×4 average colours of a picture, row by row: 96 hex digits. */
export async function placeholderOf(picture: Sharp): Promise<string> {
  const pixels = await picture
    .clone()
    .removeAlpha()
    .resize(BLOCKS, BLOCKS, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer()
  return pixels.toString('hex')
}
