import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Book } from '#contract/catalogue.ts'
import { price, toMinor } from '#format/money.ts'
import type { MenuEntry } from '#ui/Menu.tsx'
import { toast } from '#ui/toast.ts'
import { cartStateOf, isInBag, offerOf, notAddedWords } from './model.ts'
import { addToBag, priceFor } from './mutations.ts'
import { bagQuery } from './queries.ts'
import { useBagHolder } from './store.ts'

/** BAG-15: the entry of an owned title's menu that gives it away. Undefined for a title that can't be given. */
export function useGiftEntry(book: Book, onAdded: (book: Book) => void): MenuEntry | undefined {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  if (offerOf(book) !== 'gift') return undefined
  if (isInBag(cartStateOf(cart?.items ?? [], book, undefined)))
    return { key: 'gift', label: 'In your bag, as a gift', ruled: true, link: <Link to="/shopping-bag" /> }
  const give = async () => {
    try {
      if (await addToBag(queryClient, book, { gift: true })) onAdded(book)
      toast(`${book.title} is in your bag, as a gift.`, {
        action: { label: 'See your bag', onPress: () => void navigate({ to: '/shopping-bag' }) },
      })
    } catch (failure) {
      toast(notAddedWords(failure))
    }
  }
  return {
    key: 'gift',
    label: `Gift, ${price(toMinor(priceFor(book)))}`,
    ruled: true,
    onSelect: () => void give(),
  }
}
