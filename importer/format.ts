/** The two formats of a title. A title in both formats has two rows in `books`. */
export type Format = 'audio_book' | 'e_book'
