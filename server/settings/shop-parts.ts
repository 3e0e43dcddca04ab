import { SHOP_PARTS, type ShopFile, type ShopPart } from '#contract/shop-details.ts'

/** What a part depends on: it is off if that part is off, even if `shop.json` turns it on. */
const NEEDS: Readonly<Partial<Record<ShopPart, ShopPart>>> = {
  // Free audiobooks are the main benefit of a membership.
  membership: 'audiobooks',
  trial: 'membership',
  membershipGifts: 'membership',
  christmas: 'membershipGifts',
  cards: 'audiobooks',
  editions: 'audiobooks',
}

/**
 * The public pages of each part; a trailing slash means the page and everything below it. Pages that earlier buyers
 * return to are not listed and stay open: a membership's own page, a gift's link, a card's code, a book in the library.
 */
const PAGES: Readonly<Record<ShopPart, readonly string[]>> = {
  membership: ['/subscription/', '/membership'],
  trial: ['/free-trial'],
  membershipGifts: ['/gift'],
  christmas: ['/xmas'],
  cards: ['/audiobooks-in-a-card', '/reseller'],
  journal: ['/murmurations', '/articles/', '/interviews/', '/discussions/', '/search-articles', '/feeds/'],
  editions: ['/editions'],
  audiobooks: [
    '/audiobooks',
    '/subscriber-selection',
    '/astonishing-memoirs',
    '/writers-dilemma',
    '/sample/',
    '/opds/audiobooks/',
  ],
  eBooks: ['/ebooks', '/opds/ebooks/'],
  payPal: [],
}

export const partsOff = ({ parts = {} }: Pick<ShopFile, 'parts'>): readonly ShopPart[] => {
  const isOff = (part: ShopPart): boolean =>
    parts[part] === false || (NEEDS[part] !== undefined && isOff(NEEDS[part]))
  return SHOP_PARTS.filter(isOff)
}

/** A regular expression for the pages of disabled parts; undefined if there are none. */
export function closedBy(off: readonly ShopPart[]): string | undefined {
  const pages = off.flatMap((part) => PAGES[part])
  if (pages.length === 0) return undefined
  const each = pages.map((page) => page.replaceAll('.', '\\.').replace(/\/$/, '(/.*)?'))
  return `^(${each.join('|')})/?$`
}

export function impossible({ parts = {} }: Pick<ShopFile, 'parts'>): string | undefined {
  return parts.audiobooks === false && parts.eBooks === false
    ? 'a shop without audiobooks and without e-books has nothing to sell. Leave one of "audiobooks" and "eBooks" on.'
    : undefined
}
