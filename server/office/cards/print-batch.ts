import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Layout } from '../../features/cards/print.ts'
import type { Shop } from '../../shop.ts'

interface Asked {
  readonly slug: string
  readonly count: number
  readonly outletSlug?: string
  readonly priceMinor?: number
  readonly layout: Layout
}

/** Makes cards like the command does, and returns both files in one ZIP. The codes are nowhere else afterwards. */
export async function printBatch(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'media'>,
  asked: Asked,
): Promise<{ readonly zip: Buffer; readonly batch: number; readonly title: string }> {
  const [{ makeBatch }, { ZipArchive }] = await Promise.all([
    import('../../features/cards/print.ts'),
    import('archiver'),
  ])
  const { config, media } = shop
  // Only this process reads it (0700), and it is removed in any case.
  const folder = await mkdtemp(join(tmpdir(), 'murmur-cards-'))
  try {
    const press = { publicUrl: config.publicUrl, media, name: config.details.name }
    const { made, path } = await makeBatch(shop, press, { ...asked, folder })
    const zip = new ZipArchive({ zlib: { level: 6 } })
    for (const ending of ['csv', 'pdf'])
      zip.append(await readFile(`${path}.${ending}`), { name: `cards-${made.batch}-${made.slug}.${ending}` })
    const [bytes] = await Promise.all([buffer(zip), zip.finalize()])
    return { zip: bytes, batch: made.batch, title: made.title }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
