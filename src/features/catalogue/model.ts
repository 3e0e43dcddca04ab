import type { BookCard } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { shortLength } from '#format/duration.ts'
import { plural } from '#format/plural.ts'
import { has } from '#features/shop-details/shop.ts'
import type { CoverPicture } from '#ui/Cover.tsx'
import { titleTheme, type TitleTheme } from '#ui/title-theme.ts'

export type BookKind = 'audio_books' | 'e_books'

export const kindOf = (book: Pick<BookCard, 'entityType'>): BookKind =>
  book.entityType === 'audioBook' ? 'audio_books' : 'e_books'

/** False for a format that this shop doesn't sell. */
export const sells = (kind: BookKind): boolean => has(kind === 'audio_books' ? 'audiobooks' : 'eBooks')

/** `/audiobooks/{slug}` or `/ebooks/{slug}`. */
export const pathOf = (book: Pick<BookCard, 'entityType' | 'slug'>) =>
  book.entityType === 'audioBook' ? (`/audiobooks/${book.slug}` as const) : (`/ebooks/${book.slug}` as const)

/** As props of `<Link>`. */
export const linkTo = ({ entityType, slug }: Pick<BookCard, 'entityType' | 'slug'>) =>
  entityType === 'audioBook'
    ? ({ to: '/audiobooks/$slug', params: { slug } } as const)
    : ({ to: '/ebooks/$slug', params: { slug } } as const)

export const authorsOf = (book: Pick<BookCard, 'authors'>) => namesInFull(book.authors)
export const narratorsOf = (book: Pick<BookCard, 'narrators'>) => namesInFull(book.narrators)

export function namesInFull(people: readonly { fullName: string }[]): string {
  const names = people.map((person) => person.fullName)
  const last = names.pop()
  if (!last) return ''
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}

type NumberedPlace = Pick<BookCard['series'][number], 'number' | 'last'>

/**
 * "Book 2 of 5", "Book 2.5", "Books 3–4 of 5"; empty without a number, and for pages stored before there were series.
 */
export function placeOf({ series: [place] = [] }: { readonly series?: readonly NumberedPlace[] }): string {
  const { number, last } = place ?? {}
  if (!number) return ''
  const of = last && last > 1 && /^[1-9][\d–]*$/.test(number) ? ` of ${last}` : ''
  return `Book${number.includes('–') ? 's' : ''} ${number}${of}`
}

/** "6 h 20 m" or "312 pages"; empty if the catalogue doesn't say. */
export function lengthOf(book: Pick<BookCard, 'entityType' | 'lengthHours' | 'lengthMin' | 'pages'>): string {
  if (book.entityType === 'eBook') return book.pages ? plural(book.pages, 'page') : ''
  const seconds = secondsOf(book)
  return seconds > 0 ? shortLength(seconds) : ''
}

export const secondsOf = (book: Pick<BookCard, 'lengthHours' | 'lengthMin'>) =>
  (book.lengthHours ?? 0) * 3600 + (book.lengthMin ?? 0) * 60

export const themeOf = (
  book: Pick<BookCard, 'bookBackgroundColour' | 'containerBackgroundColour' | 'textColour'>,
): TitleTheme => titleTheme(book.bookBackgroundColour, book.containerBackgroundColour, book.textColour)

type WithCover = Pick<
  BookCard,
  'entityType' | 'cover330' | 'cover900' | 'coverPlaceholder' | 'containerBackgroundColour'
>

/** The API names two WebP files; the others of the same picture are named alike (`contract/catalogue.ts`). */
export function addressesOf(small: string, large: string): Pick<CoverPicture, 'avif' | 'webp'> {
  const webp = { 330: small, 600: large.replace(/-900\.webp$/, '-600.webp'), 900: large }
  const avif = (address: string) => address.replace(/\.webp$/, '.avif')
  return { avif: { 330: avif(webp[330]), 600: avif(webp[600]), 900: avif(webp[900]) }, webp }
}

export function coverOf(book: WithCover): CoverPicture {
  return {
    ...addressesOf(book.cover330, book.cover900),
    thumb: { webp: book.cover330.replace(/-330\.webp$/, '-thumb.webp') },
    width: 900,
    height: book.entityType === 'eBook' ? 1350 : 900,
    ...(book.coverPlaceholder ? { placeholder: book.coverPlaceholder } : {}),
    ...(book.containerBackgroundColour ? { ground: book.containerBackgroundColour } : {}),
  }
}

/** BOOK-05: all books of this format and style. */
export const styleLink = ({ entityType }: Pick<BookCard, 'entityType'>, style: number) => ({
  to: entityType === 'audioBook' ? ('/audiobooks' as const) : ('/ebooks' as const),
  search: { page: '1', itemsPerPage: String(PAGE_SIZE.collection), 'styles[]': String(style) },
})
