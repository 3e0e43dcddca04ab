import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { cartStateOf, isInBag } from '#features/bag/model.ts'
import { addToBag } from '#features/bag/mutations.ts'
import { bagQuery } from '#features/bag/queries.ts'
import { useBagHolder } from '#features/bag/store.ts'
import { has } from '#features/shop-details/shop.ts'
import { price } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { useIsMember } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { addWords, allYours, missingOf, missingWords, sumOf, type TitleHere } from './model.ts'
import styles from './series.module.css'

interface MissingSumProps {
  titles: readonly TitleHere[]
  onAdded?: ((book: BookCard) => void) | undefined
}

/** What the missing titles cost together, and all of them into the bag by one press; or that nothing is missing. */
export function MissingSum({ titles, onAdded }: MissingSumProps) {
  const isMember = useIsMember()
  const missing = missingOf(titles)
  const yours = allYours(titles)
  if (yours) return <p className={styles.yours}>{yours}</p>
  if (missing.length === 0) return null
  const { minor, othersMinor } = sumOf(missing, isMember)
  return (
    <div className={styles.missing}>
      <p>
        <b>{price(minor)}</b>
        {missingWords(missing.length, titles)}
        {othersMinor !== undefined && (isMember || has('membership')) && (
          <span>
            {isMember
              ? `Your price as a member, ${price(othersMinor)} for others`
              : `${price(othersMinor)} for members`}
          </span>
        )}
      </p>
      <AddAll missing={missing} onAdded={onAdded} />
    </div>
  )
}

/** One after the other, so that what is in the bag stays there when the next one fails. */
function AddAll({ missing, onAdded }: Pick<MissingSumProps, 'onAdded'> & { missing: readonly BookCard[] }) {
  const queryClient = useQueryClient()
  const { data: cart } = useQuery(bagQuery(useBagHolder()))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const left = missing.filter((book) => !isInBag(cartStateOf(cart?.items ?? [], book, undefined)))

  const addAll = async () => {
    setBusy(true)
    setProblem('')
    let added = 0
    try {
      for (const book of left) {
        const item = await addToBag(queryClient, book)
        added += 1
        if (item) onAdded?.(book)
      }
      announce(`${plural(added, 'book')} added to your bag.`)
    } catch {
      setProblem(
        added === 0
          ? 'That didn’t go into your bag. Check your connection and try again.'
          : `${plural(added, 'book')} went into your bag, the rest didn’t. Try again.`,
      )
    } finally {
      setBusy(false)
    }
  }
  const done = left.length === 0
  return (
    <>
      <div className={styles.add}>
        <Button look="beak" tone="title" busy={busy} aria-disabled={done} onClick={() => void addAll()}>
          {done ? 'In your bag' : addWords(left.length)}
        </Button>
        {done && (
          <LinkButton to="/shopping-bag" look="text" tone="title">
            See your bag
          </LinkButton>
        )}
      </div>
      {problem && <p role="alert">{problem}</p>}
    </>
  )
}
