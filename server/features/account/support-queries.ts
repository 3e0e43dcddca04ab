import { and, count, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { outlets, users } from '../../db/schema/accounts.ts'
import { mails } from '../../db/schema/mails.ts'

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const PERSON = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  countryCode: users.countryCode,
  newsletter: users.newsletter,
  confirmedAt: users.confirmedAt,
  blockedAt: users.blockedAt,
  createdAt: users.createdAt,
  outlet: outlets.name,
}

/** What the shop's owner may see of a user: no password, and nothing about what the user listens to. */
export type Person = Awaited<ReturnType<typeof selectPeople>>[number]

/** Searches by a part of the address or name, a former address, an order number or the user id. Newest first. */
export const selectPeople = (db: Db, words: string, limit: number) => {
  const part = `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return db
    .select(PERSON)
    .from(users)
    .leftJoin(outlets, eq(outlets.id, users.outletId))
    .where(
      or(
        sql`lower(${users.email}) like ${part}`,
        sql`lower(${users.firstName} || ' ' || ${users.lastName}) like ${part}`,
        sql`exists (select from former_addresses f where f.user_id = ${users.id} and f.email like ${part})`,
        sql`exists (select from orders o where o.user_id = ${users.id} and o.number = ${words.toUpperCase()})`,
        isId(words) ? eq(users.id, words) : undefined,
      ),
    )
    .orderBy(desc(users.createdAt), users.id)
    .limit(limit)
}

export async function selectPerson(db: Db, who: string): Promise<Person | undefined> {
  const [row] = await db
    .select(PERSON)
    .from(users)
    .leftJoin(outlets, eq(outlets.id, users.outletId))
    .where(isId(who) ? eq(users.id, who) : sql`lower(${users.email}) = ${who.trim().toLowerCase()}`)
  return row
}

export async function countWaitingMails(db: Db, email: string): Promise<number> {
  const [row] = await db
    .select({ waiting: count() })
    .from(mails)
    .where(
      and(
        sql`lower(${mails.recipient}) = ${email.toLowerCase()}`,
        isNull(mails.sentAt),
        isNull(mails.failedAt),
      ),
    )
  return row?.waiting ?? 0
}
