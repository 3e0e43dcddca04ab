import { useQueryClient } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { Found } from './claim.ts'
import { reloadUser } from '#session/changes.ts'
import { useSession } from '#session/store.ts'
import { claimedWords } from './claimed-words.ts'

/**
 * A claimed gift changes these everywhere else: shelf, membership, who is a member. Answers what it was, in a
 * sentence.
 */
export function useClaimed(): (found: Found) => Promise<string> {
  const queryClient = useQueryClient()
  const owner = useSession((state) => state.owner?.uuid ?? '')
  return async (found) => {
    if (found.kind === 'subscriptions') await reloadUser().catch(() => undefined)
    await queryClient.invalidateQueries({ queryKey: ownKey(owner) })
    return claimedWords(found)
  }
}
