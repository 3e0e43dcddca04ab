import sharp from 'sharp'

const MEGAPIXEL = 1_000_000
/** sharp's own limit: a picture that unpacks to more could use up the memory. */
const MOST_PIXELS = 0x3fff * 0x3fff

/** Why a picture can't be used, or undefined for one that can be read to its end. */
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
