import { randomBytes } from 'node:crypto'
import type { RealTime } from '../../clock.ts'
import type { Database } from '../../db/open.ts'
import { refused, notFound } from '../../http/http-errors.ts'
import { hashPassword } from '../account/passwords.ts'
import {
  insertOutlet,
  insertStaff,
  lockOutlet,
  moveAccount,
  type OutletRow,
  selectOutletNamed,
  updateOutlet,
} from './queries.ts'
import { logOutEverywhere } from '../account/service.ts'

const isAddress = (email: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)

interface Opening {
  readonly name: string
  readonly email: string
  readonly slug: string
  readonly discountPercent: number
  readonly commissionPercent: number
  readonly now: RealTime
}

/**
 * The password is random until the staff choose one.
 * @throws 422 if the address is invalid or in use, or the slug exists
 */
export async function addOutlet(
  db: Database,
  { email, now, ...outlet }: Opening,
): Promise<{ name: string; slug: string }> {
  if (!isAddress(email)) throw refused(`“${email}” isn’t an email address.`)
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'), { one: 'outlets' })
  return db.transaction(async (tx) => {
    const id = await insertOutlet(tx, { ...outlet, createdAt: now })
    if (!id) throw refused(`There is a bookshop ${outlet.slug} already. Name another with --slug.`)
    if (!(await insertStaff(tx, { email, passwordHash, outletId: id, name: outlet.name, now })))
      throw refused(`${email} has an account already. A bookshop needs one of its own.`)
    return outlet
  })
}

export interface Change {
  readonly slug: string
  readonly discountPercent?: number
  readonly commissionPercent?: number
  readonly email?: string
}

/**
 * New terms apply from the next sale or purchase on: each line stores its own. A new email address needs a new
 * password, chosen by its owner, and existing sessions end.
 */
export async function changeOutlet(
  db: Database,
  { slug, email, ...terms }: Change,
  now: RealTime,
): Promise<OutletRow> {
  if (email !== undefined && !isAddress(email)) throw refused(`“${email}” isn’t an email address.`)
  const passwordHash =
    email && (await hashPassword(randomBytes(32).toString('base64url'), { one: 'outlets' }))
  return db.transaction(async (tx) => {
    const known = await selectOutletNamed(tx, slug)
    const outlet = known && (await lockOutlet(tx, known.id))
    if (!outlet) throw notFound(`There is no bookshop ${slug}.`)
    if (outlet.closedAt) throw refused(`${outlet.name} is closed.`)
    if (Object.keys(terms).length > 0) await updateOutlet(tx, outlet.id, terms)
    if (email && passwordHash) {
      const userId = await moveAccount(tx, { outletId: outlet.id, email, passwordHash, now })
      if (!userId) throw refused(`${email} has an account already. A bookshop needs one of its own.`)
      await logOutEverywhere(tx, userId, now)
    }
    return { ...outlet, ...terms }
  })
}
