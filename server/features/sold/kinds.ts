/** What is sold. Whoever needs more than this asks `rules.ts`. */
export type Sold =
  | { readonly kind: 'title'; readonly bookId: number; readonly format: Format }
  | { readonly kind: 'membership'; readonly plan: number }

export type Format = 'audio_book' | 'e_book'
export type Kind = Sold['kind']
export type SoldOf<K extends Kind> = Extract<Sold, { readonly kind: K }>
