import type { Db } from '../../db/open.ts'
import { selectNameless } from './rows.ts'

/** Somebody has no address yet (`server/import/name-people.ts` gives it). */
export const hasNameless = (db: Db): Promise<boolean> => selectNameless(db)
