import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plans, Trial } from '#contract/plans.ts'
import type { Logo, PageDetails, ShopFile, ShopPart } from '#contract/shop-details.ts'
import { type Terms, termsOf } from './owners-terms.ts'
import { closedBy, partsOff } from './shop-parts.ts'

/** A picture of the owner's, cleaned and ready to be sent. */
export interface OwnersPicture {
  readonly type: 'image/svg+xml' | 'image/png'
  readonly bytes: Buffer
  /** How much wider than high. */
  readonly ratio: number
}

/** What an owner said of their shop, checked. */
export interface Said {
  readonly file: ShopFile
  /** `logo` and the icons, by their names (`features/shop-details/pictures.ts`). */
  readonly pictures: Readonly<Record<string, OwnersPicture>>
  /** Another one for other words or pictures. */
  readonly version: string
}

/** What an owner writes, in `DATA_DIR`. */
export const SHOP_FILE = 'shop.json'
/** Where nobody has said what the shop is called: a test, or an owner's first minutes. */
export const NAMELESS = 'Murmur'
const DEMO_FILE = join(import.meta.dirname, '../../content/demo/shop.json')

/**
 * Who runs the shop (docs/decisions/0031-a-shop-is-its-owners.md). It changes while the shop runs, so nobody keeps what
 * they read of it.
 */
export class OwnersDetails {
  readonly #first: Said
  #said: Said | undefined
  #terms: Terms | undefined
  /** Paths of empty lists (`features/catalogue/empty-shelves.ts`). */
  emptyShelves: readonly string[] = []

  constructor(isDemo: boolean) {
    const text = isDemo ? readFileSync(DEMO_FILE, 'utf8') : JSON.stringify({ name: NAMELESS })
    this.#first = { file: JSON.parse(text), pictures: {}, version: versionOf(text) }
  }

  get #now(): Said {
    return this.#said ?? this.#first
  }
  /** False as long as nobody said what this shop is called. */
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
  /** The name that the law wants on a receipt. */
  get seller(): string {
    return this.file.seller?.name ?? this.name
  }
  /** On what terms it sells. */
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

  /** What this shop does without (docs/operating.md, Leave parts out). */
  get without(): readonly ShopPart[] {
    return partsOff(this.file)
  }
  has(part: ShopPart): boolean {
    return !this.without.includes(part)
  }
  /** False for a page that belongs to a part which is off. */
  isOpen(path: string): boolean {
    const closed = closedBy(this.without)
    return closed === undefined || !new RegExp(closed).test(path.split('?')[0]!)
  }

  /** Undefined for a shop whose owner took everything back. */
  replace(said: Said | undefined): void {
    this.#said = said
    this.#terms = undefined
  }

  /** What every page carries of it. */
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
    }
  }
}

export const versionOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 10)
