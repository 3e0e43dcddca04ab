import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDiscounts } from '#importer/content/discounts.ts'
import { anAudioBook, anEBook } from './builders.ts'
import type { TestShop } from './shop.ts'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'

/** The titles that the demo's accounts and purchases name, and its discount codes, without sound and covers. */
export async function withTitlesOfTheDemo(shop: TestShop): Promise<void> {
  const named = new Set(['e_books the-lamplighters-ledger'])
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { kind, slug } = value as { kind?: string; slug?: string }
    if (kind && slug) named.add(`${kind} ${slug}`)
    Object.values(value).forEach(collect)
  }
  for (const file of ['accounts.json', 'purchases.json'])
    collect(JSON.parse(readFileSync(join(DEMO_CONTENT, file), 'utf8')))
  for (const each of named) {
    const [kind, slug] = each.split(' ') as [string, string]
    const fields = {
      slug,
      title: slug,
      ...(slug === 'the-customs-house' ? { blockedCountries: ['US'] } : {}),
    }
    await (kind === 'audio_books' ? anAudioBook(shop, fields) : anEBook(shop, fields))
  }
  const piece = await readDiscounts(join(DEMO_CONTENT, 'discounts.json'))
  const coming = { books: new Set<string>(), authors: new Set<string>(), publishers: new Set<string>() }
  await shop.db.transaction((tx) => piece.apply(tx, { now: shop.now(), dryRun: false, coming }))
}
