import { TRIAL_DAYS } from '#contract/limits.ts'
import type { PageDetails, ShopPart } from '#contract/shop-details.ts'

let ask = (): PageDetails => (said ??= read())
let said: PageDetails | undefined

/** Who runs this shop, as the page says that shows it; it stays so until the page is loaded again. */
export const shop = (): PageDetails => ask()

const read = (): PageDetails => JSON.parse(document.getElementById('shop')!.textContent)

/** On the server, which knows whose page it is writing. */
export const askForShop = (by: typeof ask): void => void (ask = by)

/** False for a part that this shop does without. */
export const has = (part: ShopPart): boolean => !shop().without?.includes(part)

/** False for a page of a part that this shop does without. */
export const isOpen = (path: string): boolean => !shop().closed || !RegExp(shop().closed!).test(path)

/** False for pages of parts that this shop lacks, and for lists that are still empty. */
export const leadsSomewhere = (path: string): boolean => isOpen(path) && !shop().empty?.includes(path)

/** The link text for the trial, with the owner's name for its plan. */
export function trialOffer(): string {
  const { trial, trialName = 'Premium' } = shop()
  return `Start ${trial?.days ?? TRIAL_DAYS}-day ${trialName} trial`
}

/** The links that lead somewhere. */
export const openLinks = <L extends { readonly to: string }>(links: readonly L[]): readonly L[] =>
  links.filter(({ to }) => leadsSomewhere(to))

/** Where the shelves begin: at the audiobooks, unless this shop has none. */
export const firstShelf = () =>
  leadsSomewhere('/audiobooks') || !leadsSomewhere('/ebooks')
    ? ({ to: '/audiobooks', words: 'Browse audiobooks' } as const)
    : ({ to: '/ebooks', words: 'Browse e-books' } as const)
