import { TRIAL_DAYS } from '#contract/limits.ts'
import type { PageDetails, ShopPart } from '#contract/shop-details.ts'

let ask = (): PageDetails => (said ??= read())
let said: PageDetails | undefined

/** The owner's details that the page contains; they stay the same until it is loaded again. */
export const shop = (): PageDetails => ask()

const read = (): PageDetails => JSON.parse(document.getElementById('shop')!.textContent)

/** For the server, which has no document. */
export const askForShop = (by: typeof ask): void => void (ask = by)

export const has = (part: ShopPart): boolean => !shop().without?.includes(part)

/** False for a page of a part that the shop lacks. */
export const isOpen = (path: string): boolean => !shop().closed || !RegExp(shop().closed!).test(path)

/** False for closed pages, and for lists that are still empty. */
export const leadsSomewhere = (path: string): boolean => isOpen(path) && !shop().empty?.includes(path)

/** The link text for the trial, with the owner's name for its plan. */
export function trialOffer(): string {
  const { trial, trialName = 'Premium' } = shop()
  return `Start ${trial?.days ?? TRIAL_DAYS}-day ${trialName} trial`
}

export const openLinks = <L extends { readonly to: string }>(links: readonly L[]): readonly L[] =>
  links.filter(({ to }) => leadsSomewhere(to))

/** Audiobooks, unless this shop has none. */
export const firstShelf = () =>
  leadsSomewhere('/audiobooks') || !leadsSomewhere('/ebooks')
    ? ({ to: '/audiobooks', words: 'Browse audiobooks' } as const)
    : ({ to: '/ebooks', words: 'Browse e-books' } as const)
