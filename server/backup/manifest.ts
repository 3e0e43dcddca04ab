import { readFileSync } from 'node:fs'

/** The first entry of a backup. */
export interface Manifest {
  /** Of the archive; another number is another format. */
  readonly format: 1
  /** The release of Murmur that made it, for people. */
  readonly madeBy: string
  readonly madeAt: string
  /** The migration that the database had come to (`db/migrate.ts`). */
  readonly schema: number
  /** Sound, e-books and pictures are in it, or are listed with what they have to be. */
  readonly media: 'whole' | 'list'
}

export interface Keys {
  /** Newest first. */
  readonly appKeys: readonly string[]
  readonly codeKey: string
}

/** A file of the media folder, by its path there. */
export type MediaList = Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>

/** Names of entries, in their order. */
export const MANIFEST = 'murmur.json'
export const KEYS = 'keys.json'
export const TABLES = 'tables/'
export const SEQUENCES = 'sequences.json'
export const MEDIA = 'media/'
export const MEDIA_LIST = 'media.json'

/** The release that runs. */
export function release(): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
