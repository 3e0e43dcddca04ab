import { broken, type Check, fine } from '../finding.ts'
import { selectNumbersBehind } from '../queries.ts'

/** A number must not be given out twice: of an order, of a statement, of a row. */
export const checkNumbers: Check = async ({ db }) => {
  const behind = await selectNumbersBehind(db)
  const [first] = behind
  if (!first) return fine('All numbers go on after the last one that was given out.')
  return broken(
    `${behind.map(({ sequence }) => sequence).join(', ')} would give out numbers again, and orders would fail. Run: select setval('${first.sequence}', ${first.highest})${behind.length > 1 ? ', and so on' : ''}`,
  )
}
