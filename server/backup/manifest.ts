import { readFileSync } from 'node:fs'

export interface Manifest {
  readonly format: 1
  readonly madeBy: string
  readonly madeAt: string
  readonly schema: number
  /** `list`: media are only listed with their hashes. */
  readonly media: 'whole' | 'list'
}

export interface Keys {
  readonly appKeys: readonly string[]
  readonly codeKey: string
}

export type MediaList = Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>

export const MANIFEST = 'murmur.json'
export const KEYS = 'keys.json'
export const TABLES = 'tables/'
export const SEQUENCES = 'sequences.json'
export const MEDIA = 'media/'
export const MEDIA_LIST = 'media.json'

export function release(): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
