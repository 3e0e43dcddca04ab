export type TitleFormat = 'audio' | 'ebook'
/** `audio/salt-road-letters`: the two formats of a title may share a slug, so the format is part of the key. */
export type TitleKey = `${TitleFormat}/${string}`

export const titleKey = (format: TitleFormat, slug: string): TitleKey => `${format}/${slug}`
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key begins with its format
export const formatOfKey = (key: TitleKey) => key.slice(0, key.indexOf('/')) as TitleFormat
export const slugOfKey = (key: TitleKey) => key.slice(key.indexOf('/') + 1)
