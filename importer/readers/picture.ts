import sharp from 'sharp'

const MEGAPIXEL = 1_000_000
/** sharp's own limit; a larger picture could exhaust the memory. */
const MOST_PIXELS = 0x3fff * 0x3fff

/** Decodes the whole picture. Returns why it is unusable, or undefined. */
export async function pictureFault(picture: Uint8Array): Promise<string | undefined> {
  try {
    const { width, height } = await sharp(picture, { limitInputPixels: false }).metadata()
    if (width * height > MOST_PIXELS)
      return `has ${Math.round((width * height) / MEGAPIXEL)} megapixels, and ${Math.floor(MOST_PIXELS / MEGAPIXEL)} is the most`
    await sharp(picture, { failOn: 'error' }).resize(8, 8).raw().toBuffer()
    return undefined
  } catch {
    return 'cannot be read'
  }
}
