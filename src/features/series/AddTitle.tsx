import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { cartStateOf, isInBag, offerOf } from '#features/bag/model.ts'
import { addToBag } from '#features/bag/mutations.ts'
import { bagQuery } from '#features/bag/queries.ts'
import { useBagHolder } from '#features/bag/store.ts'
import { linkTo } from '#features/catalogue/model.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import styles from './series.module.css'

/** Into the bag; what is free or can be chosen is taken on its own page, where it says what that means. */
export function AddTitle({
  book,
  onAdded,
}: {
  book: BookCard
  onAdded?: ((book: BookCard) => void) | undefined
}) {
  const queryClient = useQueryClient()
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const offer = offerOf(book)
  if (offer === 'free' || offer === 'claim')
    return (
      <LinkButton {...linkTo(book)} look="quiet" aria-label={`Choose ${book.title}`}>
        {offer === 'free' ? 'It’s free' : 'Choose it'}
      </LinkButton>
    )
  if (offer !== 'buy') return null
  const inBag = isInBag(cartStateOf(cart?.items ?? [], book, undefined))
  const add = async () => {
    setBusy(true)
    setFailed(false)
    try {
      const item = await addToBag(queryClient, book)
      announce(`${book.title} is in your bag.`)
      if (item) onAdded?.(book)
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }
  const words = inBag ? 'In your bag' : 'Add to bag'
  return (
    <>
      <Button
        look="quiet"
        busy={busy}
        aria-disabled={inBag}
        aria-label={`${words}, ${book.title}`}
        onClick={() => void add()}
      >
        {words}
      </Button>
      {failed && (
        <p className={styles.problem} role="alert">
          That didn’t go into your bag. Check your connection and try again.
        </p>
      )}
    </>
  )
}
