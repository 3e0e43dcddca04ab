import type { Db } from '../../db/open.ts'
import type { Setting } from '#contract/pages.ts'
import type { Config } from '../../settings/config.ts'
import { selectRecord } from './queries.ts'

type Settings = Omit<Setting, '@context' | '@id' | '@type' | 'name'>
export interface Seller extends Pick<Settings, 'address' | 'vatNumber'> {
  readonly name: string
}

/** From the owner's settings (RESL-06). */
export async function requiresPurchaserEmail(db: Db): Promise<boolean> {
  return (await ownersSettings(db)).requiredPurchaserEmail ?? false
}

/**
 * From `shop.json`, or else from `settings.json`. The reply-to or sender address of emails replaces a missing
 * support address.
 */
export async function settingsOf(
  db: Db,
  config: Pick<Config, 'mailFrom' | 'replyTo' | 'details'>,
): Promise<Settings> {
  const written = await ownersSettings(db)
  const { help = {} } = config.details.file
  const { mailFrom, replyTo } = config
  const supportMail =
    help.mail ?? written.supportMail ?? replyTo ?? /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom
  const { address, vatNumber } = sellerIn(written, config)
  return {
    requiredPurchaserEmail: written.requiredPurchaserEmail ?? false,
    supportMail,
    supportPhone: help.telephone ?? null,
    bookshopMail: help.bookshopMail ?? written.bookshopMail ?? supportMail,
    bookshopPhone: help.bookshopTelephone ?? written.bookshopPhone ?? help.telephone ?? null,
    address,
    vatNumber,
  }
}

/** Reads `settings.json` only: data from `shop.json` is added when the email is rendered. */
export async function writtenSellerOf(db: Db): Promise<Omit<Seller, 'name'>> {
  const { address = [], vatNumber = null } = await ownersSettings(db)
  return { address, vatNumber }
}

export const sellerOf = async (db: Db, config: Pick<Config, 'details'>): Promise<Seller> =>
  sellerIn(await ownersSettings(db), config)

function sellerIn(written: Partial<Settings>, { details }: Pick<Config, 'details'>): Seller {
  const { address = written.address ?? [], vatNumber = written.vatNumber ?? null } = details.file.seller ?? {}
  return { name: details.seller, address, vatNumber }
}

const ownersSettings = async (db: Db): Promise<Partial<Settings>> =>
  (await selectRecord<Partial<Settings>>(db, 'settings')) ?? {}
