import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/open.ts'
import { refused } from '../../http/http-errors.ts'
import { hashPassword } from '../account/passwords.ts'
import { insertOutlet, insertStaff } from './queries.ts'

export const isAddress = (email: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)

interface Opening {
  readonly name: string
  readonly email: string
  readonly slug: string
  readonly discountPercent: number
  readonly commissionPercent: number
  readonly now: Date
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
