/** The two kinds of title; a book that is both stands in the shop twice. */
export type Format = 'audio_book' | 'e_book'
