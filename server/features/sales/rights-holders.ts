import type { HolderKind } from '#contract/office/sales-groups.ts'
import { startOfDay } from '../../settings/days.ts'
import type { Shop } from '../../shop.ts'
import { type GivenLine, selectGivenLines, selectLines, selectMoneyBack } from './queries.ts'
import { type AddedUp, addUp, holdersOf, labelsOf, remainingOf, titleKey } from './service.ts'

export interface TitleOfHolder extends Omit<AddedUp, 'orders'> {
  readonly title: string
  /** Copies without a payment: members' free audiobooks, cards, and free titles or codes that covered the price. */
  readonly credits: number
  readonly cards: number
  readonly free: number
}

export interface Holder {
  readonly name: string
  readonly titles: readonly TitleOfHolder[]
  readonly total: Omit<TitleOfHolder, 'title'>
}

/**
 * The sales on which the royalties of each publisher, author or narrator are based. Membership fees are not included.
 * Money of a title with several authors is divided equally; its copies count for each of them.
 */
export async function rightsHolders(
  { db, config: { shopZone: zone } }: Pick<Shop, 'db' | 'config'>,
  { from, to, by }: { readonly from: string; readonly to: string; readonly by: HolderKind },
): Promise<readonly Holder[]> {
  const span = { from: startOfDay(from, zone), until: startOfDay(to, zone, 1) }
  const [lines, moneyBack, given] = await db.transaction(
    async (tx) =>
      [
        await selectLines(tx, span),
        await selectMoneyBack(tx, span),
        await selectGivenLines(tx, span),
      ] as const,
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  const labels = labelsOf([...lines, ...given])
  const keysOf = (line: GivenLine | (typeof lines)[number]): string[] =>
    holdersOf(line, by).map((holder) => JSON.stringify([holder, labels.get(titleKey(line))]))
  const { groups } = addUp(lines, moneyBack, (line) => (line.kind === 'title' ? keysOf(line) : []))
  const byKey = new Map<string, Omit<TitleOfHolder, 'title'>>(
    [...groups].map(([key, { orders: _orders, ...sums }]) => [
      key,
      { ...sums, credits: 0, cards: 0, free: 0 },
    ]),
  )
  for (const line of given)
    for (const key of keysOf(line)) {
      const sums = byKey.get(key) ?? NOTHING
      const count = COUNT_OF[line.by]
      byKey.set(key, { ...sums, [count]: sums[count] + 1 })
    }
  const titles = [...byKey].map(([key, sums]) => {
    const [holder, title]: [string, string] = JSON.parse(key)
    return { holder, title: { title, ...sums } }
  })
  return [...Map.groupBy(titles, ({ holder }) => holder)]
    .map(([name, own]) => {
      const sorted = own
        .map(({ title }) => title)
        .toSorted(
          (one, two) => remainingOf(two) - remainingOf(one) || one.title.localeCompare(two.title, 'en'),
        )
      return { name, titles: sorted, total: sorted.reduce(plus, NOTHING) }
    })
    .toSorted(
      (one, two) => remainingOf(two.total) - remainingOf(one.total) || one.name.localeCompare(two.name, 'en'),
    )
}

const COUNT_OF = { credit: 'credits', card: 'cards', free: 'free' } as const

const NOTHING: Omit<TitleOfHolder, 'title'> = {
  copies: 0,
  taxedMinor: 0,
  untaxedMinor: 0,
  vatMinor: 0,
  backMinor: 0,
  backVatMinor: 0,
  beforeMinor: 0,
  credits: 0,
  cards: 0,
  free: 0,
}

const FIGURES = [
  'copies',
  'taxedMinor',
  'untaxedMinor',
  'vatMinor',
  'backMinor',
  'backVatMinor',
  'beforeMinor',
  'credits',
  'cards',
  'free',
] as const

const plus = (
  sum: Omit<TitleOfHolder, 'title'>,
  title: Omit<TitleOfHolder, 'title'>,
): Omit<TitleOfHolder, 'title'> => {
  const added = { ...sum }
  for (const figure of FIGURES) added[figure] += title[figure]
  return added
}

/** What is left, without VAT. */
export const netOf = (sums: Omit<TitleOfHolder, 'title'>): number =>
  sums.taxedMinor + sums.untaxedMinor - sums.backMinor - (sums.vatMinor - sums.backVatMinor)

/** What discount codes took off. */
export const discountOf = (
  sums: Pick<TitleOfHolder, 'beforeMinor' | 'taxedMinor' | 'untaxedMinor'>,
): number => sums.beforeMinor - sums.taxedMinor - sums.untaxedMinor
