import { fingerprintOf } from '../integrations/media/files.ts'
import { coverPath } from '../integrations/media/paths.ts'
import { mediaOrigin } from '../settings/media-settings.ts'
import { SHOP_FILE } from '../settings/owners-details.ts'
import { broken, type CheckedShop, counted, fine, found, look, type Result, together } from './check.ts'
import {
  selectCovers,
  selectPagesAndSeller,
  selectStoredFiles,
  selectTitles,
  selectWithNothingToDeliver,
} from './queries.ts'

/** Pages that the law requires, by the slugs that the checkout and the footer link to. */
export const PAGES_BY_LAW = {
  'terms-conditions': 'your terms',
  'terms-privacy-etc': 'your privacy notice',
  imprint: 'who runs the shop (an imprint)',
}

/** A deep check also compares the bytes. */
export async function checkMedia({ db, media, isDeep }: CheckedShop): Promise<Result> {
  const sizes = new Map<string, number>()
  for await (const { path, bytes } of media.list()) sizes.set(path, bytes)
  const isWhole = async (path: string, sha256: string) =>
    !isDeep || (await fingerprintOf(await media.stream(path))).sha256 === sha256
  const faults: string[] = []
  const files = await selectStoredFiles(db)
  for (const { path, sha256, bytes } of files)
    if (sizes.get(path) !== bytes || !(await isWhole(path, sha256))) faults.push(path)
  for (const id of await selectCovers(db)) {
    const path = coverPath(id, '330.webp')
    if (!sizes.get(path)) faults.push(path)
  }
  return faults.length === 0
    ? fine(
        `${counted(files.length, 'file', 'files')} of sound and text, all there${isDeep ? ' and unharmed' : ''}, and the covers.`,
      )
    : broken(
        `${counted(faults.length, 'file is', 'files are')} missing or damaged, for example media/${faults[0]}.`,
        'Bring what is missing back from a backup, or import its title again.',
      )
}

/** The object store must answer range requests and allow the shop's pages to read the response (CORS). */
export async function checkDelivery({
  media,
  config,
}: Pick<CheckedShop, 'media' | 'config'>): Promise<Result> {
  const { delivery } = config.media
  if (delivery === 'proxy') return fine('Sound and e-books are sent by the proxy, out of DATA_DIR/media.')
  if (delivery === 'server') return fine(`Sound and e-books are sent by this server, out of ${media.name}.`)
  const pages = new URL(config.publicUrl).origin
  for await (const { path } of media.list()) {
    const address = await media.sign(path, { type: 'audio/mpeg' })
    return (
      (address && (await fetchLikePage(address, pages))) ||
      fine(`${mediaOrigin(config.media)} answers listeners.`)
    )
  }
  return fine('There is nothing to listen to yet.')
}

async function fetchLikePage(address: string, origin: string): Promise<Result | undefined> {
  const { host } = new URL(address)
  const answer = await fetch(address, {
    headers: { range: 'bytes=0-0', origin },
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined)
  await answer?.body?.cancel()
  if (answer?.status !== 206)
    return broken(
      `${host} answers ${answer?.status ?? 'nothing'} to a listener.`,
      'With a CDN: it has to pass on the whole address and ask the store under the store’s own name.',
    )
  const { headers } = answer
  const isLetIn = ['*', origin].includes(headers.get('access-control-allow-origin') ?? '')
  if (isLetIn && /content-range|\*/i.test(headers.get('access-control-expose-headers') ?? ''))
    return undefined
  return broken(
    `${host} does not let pages of ${origin} read what it answers, so nothing can be downloaded.`,
    'Its CORS rule needs this origin, GET, the header Range, and Content-Range exposed.',
  )
}

export async function checkOnSale({ db, config }: CheckedShop): Promise<Result> {
  const { hasTitles, withoutFile } = await selectTitles(db)
  if (!hasTitles) return look('There are no books yet.', 'npm run import -- FOLDER brings yours in.')
  const empty = config.demo ? [] : await selectWithNothingToDeliver(db)
  const problems: Result[] = []
  if (empty.length > 0)
    problems.push(
      look(
        `${counted(empty.length, 'title is', 'titles are')} on sale without sound or text, for example ${empty[0]}.`,
        'Import its files, or deliver it yourself.',
      ),
    )
  if (withoutFile > 0)
    problems.push(
      look(
        `${counted(withoutFile, 'title has a price and is', 'titles have a price and are')} not on sale: the sound or text is missing.`,
      ),
    )
  return together(fine('Everything that is on sale can be delivered.'), ...problems)
}

export async function checkPresentation({ db }: CheckedShop): Promise<Result> {
  const { withoutCover, withoutSummary } = await selectTitles(db)
  const lacking = [
    { count: withoutCover, lack: 'no cover' },
    { count: withoutSummary, lack: 'no summary' },
  ].filter(({ count }) => count > 0)
  return found(
    lacking.map(({ count, lack }) => ({
      severity: 'look',
      what: `Of the titles on sale ${count} ${count === 1 ? 'has' : 'have'} ${lack}.`,
      remedy: '',
    })),
    'Each title on sale has a cover and a summary.',
  )
}

export const checkPages = async (shop: CheckedShop): Promise<Result> =>
  together(
    fine('The pages that the law asks for are there.'),
    await checkPagesByLaw(shop),
    await checkSeller(shop),
  )

export async function checkPagesByLaw({ db }: Pick<CheckedShop, 'db'>): Promise<Result> {
  const { pages } = await selectPagesAndSeller(db)
  const missing = Object.entries(PAGES_BY_LAW).filter(([slug]) => !pages.includes(slug))
  if (missing.length === 0) return fine('The pages that the law asks for are there.')
  return look(
    `The law asks for ${missing.map(([, what]) => what).join(', ')}.`,
    `npm run new-shop -- --pages drafts them; import ${missing.map(([slug]) => `pages/${slug}.md`).join(', ')}.`,
  )
}

/** What the law asks receipts to name. */
export async function checkSeller({ db, config }: Pick<CheckedShop, 'db' | 'config'>): Promise<Result> {
  const { hasAddress, hasVatNumber } = await selectPagesAndSeller(db)
  const { seller } = config.details.file
  const unnamed = [
    ...(hasAddress || seller?.address ? [] : ['your address']),
    ...(hasVatNumber || seller?.vatNumber ? [] : ['your VAT number']),
  ]
  return unnamed.length > 0
    ? look(`Receipts lack ${unnamed.join(' and ')}.`, 'npm run new-shop asks for them.')
    : fine('Receipts name the seller.')
}

/** Also checks `shop.json`, so that a mistake in it is reported although the shop keeps its last valid details. */
export async function checkShopFile(shop: CheckedShop): Promise<Result> {
  const { config } = shop
  const { readShopFile } = await import('../features/shop-details/read-file.ts')
  const read = await readShopFile(config.dataDir)
  if (read && 'mistakes' in read) return broken(`${SHOP_FILE} ${read.mistakes.join(' ')}`)
  if (!config.demo && !read) return checkIsNamed(shop)
  return fine(`The shop is called ${read?.said.file.name ?? config.details.name}.`)
}

export const checkIsNamed = ({ config }: Pick<CheckedShop, 'config'>): Result =>
  config.details.areSaid
    ? fine(`The shop is called ${config.details.name}.`)
    : look('The shop has no name of its own yet.', 'npm run new-shop.')
