import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plans, Trial } from '#contract/plans.ts'
import {
  type Logo,
  type PageDetails,
  SHOP_PARTS,
  type ShopFile,
  type ShopPart,
} from '#contract/shop-details.ts'
import { type Terms, termsOf } from './owners-terms.ts'

export interface OwnersPicture {
  readonly type: 'image/svg+xml' | 'image/png'
  readonly bytes: Buffer
  /** Width divided by height. */
  readonly ratio: number
}

export interface Said {
  readonly file: ShopFile
  /** `logo` and the icons, by name (`features/shop-details/pictures.ts`). */
  readonly pictures: Readonly<Record<string, OwnersPicture>>
  /** Changes with any text or picture. */
  readonly version: string
}

export const SHOP_FILE = 'shop.json'
export const NAMELESS = 'Murmur'
const DEMO_FILE = join(import.meta.dirname, '../../content/demo/shop.json')

/** The details change while the shop runs, so do not store what you read (docs/decisions/0031-shop-details.md). */
export class OwnersDetails {
  readonly #first: Said
  #said: Said | undefined
  #terms: Terms | undefined
  /** Paths of empty lists (`features/catalogue/empty-shelves.ts`). */
  emptyShelves: readonly string[] = []
  takesPayments = true

  constructor(isDemo: boolean) {
    const text = isDemo ? readFileSync(DEMO_FILE, 'utf8') : JSON.stringify({ name: NAMELESS })
    this.#first = { file: JSON.parse(text), pictures: {}, version: versionOf(text) }
  }

  get #now(): Said {
    return this.#said ?? this.#first
  }
  get areSaid(): boolean {
    return this.#said !== undefined
  }
  get file(): ShopFile {
    return this.#now.file
  }
  get version(): string {
    return this.#now.version
  }
  get name(): string {
    return this.file.name
  }
  get seller(): string {
    return this.file.seller?.name ?? this.name
  }
  get terms(): Terms {
    return (this.#terms ??= termsOf(this.file))
  }
  get plans(): Plans {
    return this.terms.plans
  }
  get trial(): Trial {
    return this.terms.trial
  }
  picture(name: string): OwnersPicture | undefined {
    return Object.hasOwn(this.#now.pictures, name) ? this.#now.pictures[name] : undefined
  }
  get logo(): Logo | undefined {
    const picture = this.picture('logo')
    if (!picture) return undefined
    const ending = picture.type === 'image/png' ? 'png' : 'svg'
    return { url: `/media/covers/logo-${versionOf(picture.bytes)}.${ending}`, ratio: picture.ratio }
  }

  /** Parts that the shop does not offer (docs/operations/configuration.md). */
  get without(): readonly ShopPart[] {
    return partsOff(this.file)
  }
  has(part: ShopPart): boolean {
    return !this.without.includes(part)
  }
  isOpen(path: string): boolean {
    const closed = closedBy(this.without)
    return closed === undefined || !new RegExp(closed).test(path.split('?')[0]!)
  }

  /** @param said undefined if the owner removed the file */
  replace(said: Said | undefined): void {
    this.#said = said
    this.#terms = undefined
  }

  get ofPages(): PageDetails {
    const { name, about = '', journal = 'Journal', newsletter, social = [], banner } = this.file
    const footer = this.file.footer
      ?.map(({ title, links }) => ({ title, links: links.filter(({ url }) => this.isOpen(url)) }))
      .filter(({ links }) => links.length > 0)
    const { logo, terms, without } = this
    const { trial, memberDiscount } = this.file
    const often = newsletter?.often ?? 'now and then'
    return {
      name,
      about,
      journal,
      newsletter: {
        title: newsletter?.title ?? 'Our newsletter',
        words: newsletter?.words ?? `New titles and what we are reading, ${often}.`,
        often,
      },
      social,
      seller: this.seller,
      ...(logo ? { logo } : {}),
      ...(banner && this.isOpen(banner.url) ? { banner } : {}),
      ...(footer ? { footer } : {}),
      ...(terms.own ? { plans: terms.own, trialName: terms.plans[terms.trial.plan].type } : {}),
      ...(terms.own || trial ? { trial: terms.trial } : {}),
      ...(memberDiscount === undefined ? {} : { memberDiscount }),
      ...(without.length > 0 ? { without, closed: closedBy(without)! } : {}),
      ...(this.emptyShelves.length > 0 ? { empty: this.emptyShelves } : {}),
      ...(this.takesPayments ? {} : { takesNoPayments: true }),
    }
  }
}

export const versionOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 10)

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

/** A trailing slash means everything below. Pages that earlier buyers return to are not listed and stay open. */
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

const partsOff = ({ parts = {} }: Pick<ShopFile, 'parts'>): readonly ShopPart[] => {
  const isOff = (part: ShopPart): boolean =>
    parts[part] === false || (NEEDS[part] !== undefined && isOff(NEEDS[part]))
  return SHOP_PARTS.filter(isOff)
}

function closedBy(off: readonly ShopPart[]): string | undefined {
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
