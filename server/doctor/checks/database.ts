import { type Check, broken, fine, look } from '../finding.ts'
import { selectServer } from '../queries.ts'

const OLDEST = 150_000

export const checkDatabase: Check = async ({ db, kind }) => {
  const { version, number, used, allowed } = await selectServer(db)
  if (kind === 'embedded') return fine(`The embedded PostgreSQL ${version} answers.`)
  if (number < OLDEST)
    return broken(`This is PostgreSQL ${version}, and the shop needs 15 or later. Update it.`)
  const says = `PostgreSQL ${version} answers; ${used} of ${allowed} connections are taken.`
  return used > allowed * 0.8 ? look(`${says} Raise its max_connections.`) : fine(says)
}
