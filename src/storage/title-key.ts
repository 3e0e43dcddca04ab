export type TitleFormat = 'audio' | 'ebook'
/** `audio/salt-road-letters`: the two formats of a title may share a slug, so the format is part of the key. */
export type TitleKey = `${TitleFormat}/${string}`

export const titleKey = (format: TitleFormat, slug: string): TitleKey => `${format}/${slug}`
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key begins with its format
export const formatOfKey = (key: TitleKey) => key.slice(0, key.indexOf('/')) as TitleFormat
export const slugOfKey = (key: TitleKey) => key.slice(key.indexOf('/') + 1)

/** The slug of a title's IRI in the API, such as `/api/audio_books/salt-road-letters`. */
export const slugOfIri = (iri: string): string => decodeURIComponent(iri.slice(iri.lastIndexOf('/') + 1))
export const keyOfIri = (iri: string): TitleKey =>
  titleKey(iri.startsWith('/api/e_books/') ? 'ebook' : 'audio', slugOfIri(iri))
export const iriOfKey = (key: TitleKey): string =>
  `/api/${formatOfKey(key) === 'ebook' ? 'e_books' : 'audio_books'}/${encodeURIComponent(slugOfKey(key))}`
