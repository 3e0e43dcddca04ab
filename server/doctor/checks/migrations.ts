import { schemaOfRelease, selectSchema } from '../../db/migrate.ts'
import { broken, type Check, fine, look } from '../finding.ts'

export const checkMigrations: Check = async ({ pool }) => {
  const client = await pool.connect()
  try {
    const schema = await selectSchema(client)
    if (schema < schemaOfRelease())
      return look('The next start brings the database to this release. Make a backup first.')
    if (schema > schemaOfRelease())
      return broken('The database belongs to a newer release of Murmur. Start that one.')
    return fine('The database fits this release.')
  } finally {
    client.release()
  }
}
