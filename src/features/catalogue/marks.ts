import { create } from 'zustand'
import type { BookCard } from '#contract/catalogue.ts'
import { useSession } from '#session/store.ts'
import { titleKey, type TitleKey } from '#storage/title-key.ts'

/**
 * The titles that the user owns. Shared lists don't know the user, so their cards take this mark from what the device
 * knows of the library (`app/start/follow-owner.ts`), also without a network.
 */
export const useOwnedTitles = create<{ readonly owned: ReadonlySet<TitleKey> }>()(() => ({
  owned: new Set(),
}))

type Marked = Pick<
  BookCard,
  'entityType' | 'slug' | 'inLibrary' | 'published' | 'price' | 'edition' | 'currentlyHighlighted'
>

export type Mark = 'owned' | 'choose'

/** `choose`: the member may take it as this month's free audiobook, as `moveToLibrary` of the server. */
export function useMark(book: Marked): Mark | undefined {
  const key = titleKey(book.entityType === 'eBook' ? 'ebook' : 'audio', book.slug)
  const isOwned = useOwnedTitles(({ owned }) => owned.has(key)) || book.inLibrary
  const hasCredit = useSession(({ user }) => user?.hasCredit === true)
  if (isOwned) return 'owned'
  const isClaimable = book.published && (book.edition || book.currentlyHighlighted)
  return hasCredit && isClaimable && book.price > 0 ? 'choose' : undefined
}
