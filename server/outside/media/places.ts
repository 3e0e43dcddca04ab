import { join } from 'node:path'

/** Where a stored file lies: named by its content, in folders of at most a few thousand files each. */
export const placeOf = (mediaDir: string, sha256: string, extension: string): string =>
  join(mediaDir, sha256.slice(0, 2), `${sha256}.${extension}`)

/** All renditions of all covers: `<id>-330.webp` and its kin (`db/schema/media.ts`). */
export const coversIn = (mediaDir: string): string => join(mediaDir, 'covers')
