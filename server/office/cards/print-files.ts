import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipArchive } from 'archiver'
import { replaceCard } from '../../features/cards/create-cards.ts'
import { type Layout, makeBatch, writeCard } from '../../features/cards/print.ts'
import { refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'

type Printer = Pick<Shop, 'db' | 'config' | 'log' | 'now' | 'media'>

interface Asked {
  readonly slug: string
  readonly count: number
  readonly outletSlug?: string
  readonly priceMinor?: number
  readonly layout: Layout
}

/** Makes cards like the command, and returns their table and their print file as a ZIP: the only copy of the codes. */
export const printBatch = (shop: Printer, asked: Asked): Promise<Buffer> =>
  zipOf(async (folder) => {
    await makeBatch(shop, pressOf(shop), { ...asked, folder })
  })

/** Gives a sold card's sale to a new one, like the command. */
export const printReplacement = (shop: Printer, number: string, layout: Layout): Promise<Buffer> =>
  zipOf(async (folder) => {
    const { card, made } = await replaceCard(shop, number)
    try {
      await writeCard(pressOf(shop), { made, card, layout }, join(folder, `card-${card.number}`))
    } catch (error) {
      // The new card has the sale by now, but its code is lost.
      shop.log.error({ err: error, card: card.number }, 'a replaced card could not be printed')
      throw refused(`${card.number} has the sale and could not be printed. Replace it in its turn.`)
    }
  })

const pressOf = ({ config, media }: Printer) => ({
  publicUrl: config.publicUrl,
  media,
  name: config.details.name,
})

async function zipOf(write: (folder: string) => Promise<void>): Promise<Buffer> {
  // Only this process can read the folder (0700), and it is removed in any case.
  const folder = await mkdtemp(join(tmpdir(), 'murmur-cards-'))
  try {
    await write(folder)
    const zip = new ZipArchive({ zlib: { level: 6 } })
    for (const name of await readdir(folder)) zip.append(await readFile(join(folder, name)), { name })
    const [bytes] = await Promise.all([buffer(zip), zip.finalize()])
    return bytes
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
