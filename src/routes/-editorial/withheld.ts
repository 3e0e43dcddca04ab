import type { EditorialItem } from '#contract/editorial.ts'
import { kindOf } from '#features/editorial/model.ts'

/** What is known of the reader's own access to the item. */
export interface Own {
  /** The user, or '' for a visitor. */
  readonly owner: string
  /** False until the server has answered, so that a member isn't asked to join. */
  readonly isKnown: boolean
  readonly failed: boolean
  readonly busy: boolean
  readonly retry: () => void
}

/** What the item holds back from this reader (EDIT-05, EDIT-09); undefined if nothing. */
export const withheldIn = (item: EditorialItem): 'recording' | 'film' | 'invitation' | undefined =>
  item.access === 'open' ? undefined : item.hasAudio ? 'recording' : item.hasVideo ? 'film' : 'invitation'

/** The player's name of its recording, and the path of its page. */
export const addressOf = (item: EditorialItem): string => `${kindOf(item)}/${item.slug}`
