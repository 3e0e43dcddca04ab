import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Made, makeCards, type Maker, voidBatch } from './create-cards.ts'
import { type CardTable, type Layout, openTable, type Press, printCards, readTable } from './print.ts'

export interface BatchRequest {
  /** The title of the audiobook. */
  readonly slug: string
  readonly count: number
  /** The only bookshop that may sell the cards; undefined for all. */
  readonly outletSlug?: string
  readonly priceMinor?: number
  readonly folder: string
  readonly layout: Layout
}

export interface Batch {
  readonly made: Made
  /** Of its table and its paper, without their endings. */
  readonly path: string
}

/**
 * Makes a batch and writes its files. A thousand cards are in memory at most: they go into the table as they are made, and are printed
 * from it. A table that cannot be written makes no cards.
 */
export async function makeBatch(
  maker: Maker,
  press: Press,
  { folder, layout, ...request }: BatchRequest,
  onProgress: (printed: number) => void = () => undefined,
): Promise<Batch> {
  const opened: { path?: string; table?: CardTable } = {}
  let made: Made
  try {
    made = await makeCards(maker, request, async (cards, { batch, slug, priceMinor }) => {
      const path = join(folder, `cards-${batch}-${slug}`)
      const table = (opened.table ??= await openTable(`${path}.csv`, press))
      opened.path = path
      await table.add({ slug, priceMinor }, cards)
    })
    await opened.table!.close()
  } catch (error) {
    if (opened.path !== undefined) await rm(`${opened.path}.csv`, { force: true })
    throw error
  }
  const path = opened.path!
  try {
    await printCards(`${path}.pdf`, { made, cards: readTable(`${path}.csv`), layout, press, onProgress })
  } catch (error) {
    // Nobody has their codes: they would only be counted.
    await voidBatch(maker, made.batch)
    await Promise.all([rm(`${path}.csv`, { force: true }), rm(`${path}.pdf`, { force: true })])
    throw error
  }
  return { made, path }
}
