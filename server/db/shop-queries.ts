import { sql } from 'drizzle-orm'
import type { OwnersDetails, Said } from '../settings/owners-details.ts'
import type { Database, Db } from './open.ts'
import { codeKey, shopDetails } from './schema/shop.ts'

export const SHOP_DETAILS_CHANGED = 'shop_details_changed'

export async function loadDetails(db: Db, details: OwnersDetails): Promise<void> {
  const [row] = await db.select().from(shopDetails)
  if (row?.version === (details.areSaid ? details.version : undefined)) return
  details.replace(
    row && {
      file: row.content,
      version: row.version,
      pictures: Object.fromEntries(
        Object.entries(row.pictures).map(([name, { bytes, ...picture }]) => [
          name,
          { ...picture, bytes: Buffer.from(bytes, 'base64') },
        ]),
      ),
    },
  )
}

/** Whether a title of `books t` has a format that the shop has disabled: owners keep it, no one else sees it. */
export const IS_WITHHELD = sql.raw(`coalesce((
  select d.content->'parts'->>(case t.format when 'e_book' then 'eBooks' else 'audiobooks' end) = 'false'
  from shop_details d), false)`)

/** Two changes of `shop.json` at once would each write the whole file. Held until the transaction ends. */
export const lockShopFile = async (tx: Db): Promise<void> =>
  void (await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('shop.json', 0))`))

type Stored = 'stored' | 'same' | 'older'

export const storeDetails = (db: Database, said: Said, writtenAt: Date): Promise<Stored> =>
  db.transaction(async (tx) => {
    const [row] = await tx.select().from(shopDetails).for('update')
    if (row?.version === said.version) return 'same'
    if (row && row.writtenAt >= writtenAt) return 'older'
    const values = {
      id: 1,
      content: said.file,
      version: said.version,
      writtenAt,
      pictures: Object.fromEntries(
        Object.entries(said.pictures).map(([name, picture]) => [
          name,
          { ...picture, bytes: picture.bytes.toString('base64') },
        ]),
      ),
    }
    await tx.insert(shopDetails).values(values).onConflictDoUpdate({ target: shopDetails.id, set: values })
    await tx.execute(sql`update books t set withheld = ${IS_WITHHELD} where withheld <> ${IS_WITHHELD}`)
    await tx.execute(sql`select pg_notify(${SHOP_DETAILS_CHANGED}, '')`)
    return 'stored'
  })

export async function noteFingerprint(db: Db, fingerprint: string): Promise<string | undefined> {
  await db.insert(codeKey).values({ fingerprint }).onConflictDoNothing()
  const [row] = await db.select({ fingerprint: codeKey.fingerprint }).from(codeKey)
  return row?.fingerprint
}
