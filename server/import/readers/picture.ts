import sharp from 'sharp'

/** True for a picture that can be read to its end. */
export const isReadable = (picture: Uint8Array): Promise<boolean> =>
  sharp(picture, { failOn: 'error' })
    .resize(8, 8)
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    )
