/** By content, spread over 256 folders. */
export const mediaPath = ({ sha256, extension }: { sha256: string; extension: string }): string =>
  `${sha256.slice(0, 2)}/${sha256}.${extension}`

export const COVERS = 'covers/'

export const COVER_RENDITIONS = [
  '330.avif',
  '330.webp',
  '330.jpg',
  '600.avif',
  '600.webp',
  '900.avif',
  '900.webp',
  '900.jpg',
  'thumb.webp',
] as const
export type CoverRendition = (typeof COVER_RENDITIONS)[number]

/** Spread over 256 folders, in the store and below `/media/`. */
export const coverPath = (id: string, rendition: CoverRendition): string =>
  `${COVERS}${id.slice(0, 2)}/${id}-${rendition}`

export const hashInPath = (path: string): string | undefined => /(?:^|\/)([0-9a-f]{64})\.\w+$/.exec(path)?.[1]

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  epub: 'application/epub+zip',
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}

export const typeOf = (path: string): string =>
  TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
