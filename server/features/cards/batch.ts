import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Made, makeCards, type Maker, voidBatch } from './create-cards.ts'
import { type CardTable, type Layout, openTable, type Press, printCards, readTable } from './print.ts'

export interface BatchRequest {
  readonly slug: string
  readonly count: number
  /** Undefined: every bookshop may sell the cards. */
  readonly outletSlug?: string
  readonly priceMinor?: number
  readonly folder: string
  readonly layout: Layout
}

export interface Batch {
  readonly made: Made
  /** Path of the CSV table and the PDF, without the extension. */
  readonly path: string
}

/**
 * At most 1,000 cards are in memory: they are written to the table as they are created, and printed from it. If the
 * table cannot be written, no cards are created.
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
    // Void the cards: their files are deleted, so the codes are lost.
    await voidBatch(maker, made.batch)
    await Promise.all([rm(`${path}.csv`, { force: true }), rm(`${path}.pdf`, { force: true })])
    throw error
  }
  return { made, path }
}
