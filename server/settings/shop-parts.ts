import { SHOP_PARTS, type ShopFile, type ShopPart } from '#contract/shop-details.ts'

/** What a part is made of: it is off wherever that is, whatever `shop.json` says of itself. */
const NEEDS: Readonly<Partial<Record<ShopPart, ShopPart>>> = {
  // Its free audiobooks are what most of a membership is.
  membership: 'audiobooks',
  trial: 'membership',
  membershipGifts: 'membership',
  christmas: 'membershipGifts',
  cards: 'audiobooks',
  editions: 'audiobooks',
}

/**
 * The pages of each part that stand open for everybody; one with a slash at its end stands for itself and all below it. What
 * somebody comes back to who bought before is not among them: a membership's own page, a gift's link, a card's code, a book
 * of theirs.
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

/** What this shop does without. */
export const partsOff = ({ parts = {} }: Pick<ShopFile, 'parts'>): readonly ShopPart[] => {
  const isOff = (part: ShopPart): boolean =>
    parts[part] === false || (NEEDS[part] !== undefined && isOff(NEEDS[part]))
  return SHOP_PARTS.filter(isOff)
}

/** Which addresses lead nowhere without these parts, as the source of a regular expression; undefined where all lead on. */
export function closedBy(off: readonly ShopPart[]): string | undefined {
  const pages = off.flatMap((part) => PAGES[part])
  if (pages.length === 0) return undefined
  const each = pages.map((page) => page.replaceAll('.', '\\.').replace(/\/$/, '(/.*)?'))
  return `^(${each.join('|')})/?$`
}

/** Why these parts cannot be a shop; undefined where they can. */
export function impossible({ parts = {} }: Pick<ShopFile, 'parts'>): string | undefined {
  return parts.audiobooks === false && parts.eBooks === false
    ? 'a shop without audiobooks and without e-books has nothing to sell. Leave one of "audiobooks" and "eBooks" on.'
    : undefined
}
