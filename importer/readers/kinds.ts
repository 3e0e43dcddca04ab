import { extname } from 'node:path'

export type Kind = 'mp3' | 'm4a' | 'm4b' | 'epub' | 'picture'

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

export const isOtherFormat = (name: string): boolean =>
  /\.(?:aac|aax?|aiff?|ape|azw3?|cbr|cbz|djvu|fb2|flac|kepub|lit|mobi|mp4|oga|ogg|opus|pdf|wav|wma)$/i.test(
    name,
  )

export const isLitter = (name: string): boolean =>
  /^(?:\.|__MACOSX|@eaDir$|@Recently-Snapshot$|#recycle$|\$RECYCLE\.BIN$|lost\+found$|System Volume Information$)/i.test(
    name,
  )
