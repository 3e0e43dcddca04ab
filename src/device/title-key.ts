export type TitleFormat = 'audio' | 'ebook'
/** `audio/salt-road-letters`: the two formats of a title may share a slug, so the format is part of the key. */
export type TitleKey = `${TitleFormat}/${string}`

export const titleKey = (format: TitleFormat, slug: string): TitleKey => `${format}/${slug}`
export const formatOfKey = (key: TitleKey): TitleFormat => (key.startsWith('audio/') ? 'audio' : 'ebook')
export const slugOfKey = (key: TitleKey) => key.slice(key.indexOf('/') + 1)
