import type { Db } from '../db/open.ts'
import { codeKey } from '../db/schema/codes.ts'

export async function noteFingerprint(db: Db, fingerprint: string): Promise<string | undefined> {
  await db.insert(codeKey).values({ fingerprint }).onConflictDoNothing()
  const [row] = await db.select({ fingerprint: codeKey.fingerprint }).from(codeKey)
  return row?.fingerprint
}
