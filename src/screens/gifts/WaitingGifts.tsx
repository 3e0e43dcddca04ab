import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Gift } from '#contract/gifts.ts'
import { MESSAGES } from '#contract/messages.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { claimWaiting, waitingGiftsQuery } from '#features/gifts/claim.ts'
import { GiftCodeForm } from '#features/gifts/GiftCodeForm.tsx'
import { GiftNote } from '#features/gifts/GiftNote.tsx'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import styles from './WaitingGifts.module.css'

/** Gifts sent to this address; once it is confirmed they can be claimed without the mail's link. */
export function WaitingGifts() {
  const owner = useSession((state) => (state.status === 'user' ? (state.owner?.uuid ?? '') : ''))
  const { data } = useQuery({ ...waitingGiftsQuery(owner), enabled: owner !== '' })
  const gifts = data?.['hydra:member'] ?? []
  if (gifts.length === 0) return null
  return (
    <section className={styles.gifts} aria-labelledby="gifts">
      <Display as="h2" size="sm" id="gifts">
        A gift is waiting for you
      </Display>
      {gifts.map((gift) => (
        <WaitingGift key={gift.id} gift={gift} owner={owner} />
      ))}
    </section>
  )
}

/** The code of a gift's mail, typed where its link does not open. */
export function GiftCode() {
  const queryClient = useQueryClient()
  const owner = useSession((state) => (state.status === 'user' ? (state.owner?.uuid ?? '') : ''))
  return (
    <div className={styles.code}>
      <GiftCodeForm onClaimed={() => void queryClient.invalidateQueries({ queryKey: ['own', owner] })} />
    </div>
  )
}

function WaitingGift({ gift, owner }: { gift: Gift; owner: string }) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const book = gift.audioBook ?? gift.eBook
  if (!book) return null
  const claim = async () => {
    setBusy(true)
    setRefusal('')
    try {
      await claimWaiting(gift.id)
      announce(`${book.title} is in your library.`)
      await queryClient.invalidateQueries({ queryKey: ['own', owner] })
    } catch (problem) {
      setRefusal((problem instanceof NetProblem && problem.description) || MESSAGES.somethingWentWrong)
      setBusy(false)
    }
  }
  return (
    <div className={styles.gift}>
      <GiftNote gift={gift} picture={coverOf(book)} />
      <Button look="beak" busy={busy} aria-label={`Unwrap ${book.title}`} onClick={() => void claim()}>
        Unwrap
      </Button>
      {refusal && <p role="alert">{refusal}</p>}
    </div>
  )
}
