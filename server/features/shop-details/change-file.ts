import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShopFile } from '#contract/shop-details.ts'
import { loadDetails, lockShopFile } from '../../db/shop-queries.ts'
import { refused, unavailable } from '../../http/http-errors.ts'
import { errorCode } from '../../log/error-code.ts'
import { OwnersDetails, SHOP_FILE, versionOf } from '../../settings/owners-details.ts'
import type { Shop } from '../../shop.ts'
import { missingPlans, takeShopFile } from './follow.ts'

/** The checker's libraries would slow down each start. */
const checker = () => import('./read-file.ts')

type Where = Pick<Shop, 'config' | 'db'>

export interface StandingFile {
  readonly file: ShopFile
  /** Of its content: a change names the version that it was made from. */
  readonly version: string
}

/** What the shop is, on all machines: the newest file that one of them had, or the demo's. */
export async function standingFile({ config, db }: Where): Promise<StandingFile> {
  // Not the process's own copy, which follows a moment later.
  const details = new OwnersDetails(config.demo)
  await loadDetails(db, details)
  return { file: details.file, version: versionOf(JSON.stringify(details.file)) }
}

export type Changes = Readonly<Record<string, unknown>>

export interface Change {
  readonly version?: string
  /** Keys of `shop.json`; null removes one. */
  readonly changes: Changes
  /** A picture that a change names, to be written to the folder of `shop.json`. */
  readonly picture?: { readonly name: string; readonly bytes: Buffer }
}

/**
 * Checks the changes by the rules for the file and returns what would be written; nothing is changed yet.
 *
 * @throws 422 with the mistakes in words, or if the settings were changed since `version`
 */
export async function planChange(shop: Where, { version, changes }: Change) {
  const standing = await standingFile(shop)
  if (version !== undefined && version !== standing.version)
    throw refused(
      'Somebody changed the settings since you opened them. Load the page again; what you typed is kept.',
    )
  await refuseBrokenFile(shop)
  const next: Record<string, unknown> = { ...standing.file }
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete next[key]
    else next[key] = value
  }
  const { checkShopFile } = await checker()
  const checked = checkShopFile(JSON.stringify(next))
  if ('mistakes' in checked) throw refused(inWords(checked.mistakes))
  const missing = await missingPlans(shop.db, checked.file)
  if (missing.length > 0) throw refused(inWords(missing))
  return { before: standing.file, next: checked.file }
}

/**
 * Writes `shop.json` on this machine and takes it at once, as if the owner had edited the file: every process of every
 * machine follows (docs/decisions/0043-settings-in-the-office.md).
 */
export async function writeShopFile(shop: Where, next: ShopFile, picture?: Change['picture']): Promise<void> {
  const { config, db } = shop
  await db.transaction(async (tx) => {
    await lockShopFile(tx)
    const path = join(config.dataDir, SHOP_FILE)
    const former = await readFile(path, 'utf8').catch(() => undefined)
    try {
      await mkdir(config.dataDir, { recursive: true })
      if (picture) await writeFile(join(config.dataDir, picture.name), picture.bytes)
      await bringPictures(shop, next)
      await writeFile(`${path}.new`, `${JSON.stringify(next, null, 2)}\n`)
      await rename(`${path}.new`, path)
    } catch (error) {
      const code = errorCode(error)
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
        throw refused(`The server may not write ${path}. Its operator can give it the folder.`)
      throw error
    }
    // The process's own details may not have followed the last change yet.
    const details = new OwnersDetails(config.demo)
    await loadDetails(db, details)
    const mistakes = await takeShopFile({ db, config: { dataDir: config.dataDir, details } })
    if (mistakes.length === 0) return
    if (former === undefined) await rm(path)
    else await writeFile(path, former)
    throw refused(inWords(mistakes))
  })
}

/** A file edited by hand with a mistake in it would be lost: its owner corrects it first. */
async function refuseBrokenFile({ config }: Where): Promise<void> {
  const text = await readFile(join(config.dataDir, SHOP_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return
  const { checkShopFile } = await checker()
  const checked = checkShopFile(text)
  if ('mistakes' in checked)
    throw refused(
      `Somebody edited ${SHOP_FILE} on the server, with a mistake in it: ${checked.mistakes.join(' ')}`,
    )
}

/** The logo and icon that another machine stored are in the database only; write them next to this machine's file. */
async function bringPictures({ config, db }: Where, { logo, icon }: ShopFile): Promise<void> {
  const details = new OwnersDetails(config.demo)
  await loadDetails(db, details)
  for (const [name, picture] of [
    [logo, details.picture('logo')],
    [icon, details.picture('icon-512.png')],
  ] as const) {
    if (!name) continue
    const path = join(config.dataDir, name)
    const isThere = await readFile(path).then(
      () => true,
      () => false,
    )
    if (isThere) continue
    if (!picture) throw unavailable(60)
    await writeFile(path, picture.bytes)
  }
}

const inWords = (mistakes: readonly string[]): string =>
  mistakes.map((mistake) => sentence(mistake.replace(/^line \d+: /, ''))).join(' ')

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
