import { extname } from 'node:path'

export type Kind = 'mp3' | 'm4a' | 'm4b' | 'epub' | 'picture'

/** What a file is by its name; undefined for what the shop does not read. */
export const kindOf = (name: string): Kind | undefined => KINDS[extname(name).toLowerCase()]

const KINDS: Record<string, Kind> = {
  '.mp3': 'mp3',
  '.m4a': 'm4a',
  '.m4b': 'm4b',
  '.epub': 'epub',
  '.jpg': 'picture',
  '.jpeg': 'picture',
  '.png': 'picture',
}
