import { broken, type Check, fine } from '../finding.ts'
import { selectNumbersBehind } from '../queries.ts'

/** Sequences must never return a number that is in use: for orders, statements and row ids. */
export const checkNumbers: Check = async ({ db }) => {
  const behind = await selectNumbersBehind(db)
  const [first] = behind
  if (!first) return fine('All numbers go on after the last one that was given out.')
  return broken(
    `${behind.map(({ sequence }) => sequence).join(', ')} would give out numbers again, and orders would fail. Run: select setval('${first.sequence}', ${first.highest})${behind.length > 1 ? ', and so on' : ''}`,
  )
}
