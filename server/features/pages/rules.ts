import type { Db } from '../../db/open.ts'
import type { Setting } from '#contract/pages.ts'
import type { Config } from '../../settings/config.ts'
import { selectRecord } from './rows.ts'

type Settings = Omit<Setting, '@context' | '@id' | '@type' | 'name'>
/** The seller, as receipts and statements name them. */
export type Seller = Pick<Settings, 'address' | 'vatNumber'>

/** True if a card is only activated with its buyer's address, as the owner's settings say (RESL-06). */
export async function requiresPurchaserEmail(db: Db): Promise<boolean> {
  return (await ownersSettings(db)).requiredPurchaserEmail ?? false
}

/** The owner's `settings.json`; whom to ask is otherwise whoever the shop's mail is from. */
export async function settingsOf(db: Db, { mailFrom }: Pick<Config, 'mailFrom'>): Promise<Settings> {
  const written = await ownersSettings(db)
  const { requiredPurchaserEmail = false, bookshopPhone = null } = written
  const supportMail = written.supportMail ?? /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom
  const bookshopMail = written.bookshopMail ?? supportMail
  return { requiredPurchaserEmail, supportMail, bookshopMail, bookshopPhone, ...sellerIn(written) }
}

export const sellerOf = async (db: Db): Promise<Seller> => sellerIn(await ownersSettings(db))

const sellerIn = ({ address = [], vatNumber = null }: Partial<Settings>): Seller => ({ address, vatNumber })

const ownersSettings = async (db: Db): Promise<Partial<Settings>> =>
  (await selectRecord<Partial<Settings>>(db, 'settings')) ?? {}
