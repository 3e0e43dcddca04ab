import { CreditCardIcon } from '@phosphor-icons/react/dist/csr/CreditCard'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SavedCard } from '#contract/payment-methods.ts'
import { NetProblem } from '#net/problem.ts'
import { reloadUser } from '#session/session.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { toast } from '#ui/toast.ts'
import { refusalMessage, useWrite } from '#writes/use-write.ts'
import { cardName, expiryOf, removeCard, savedCardsQuery } from './saved-cards.ts'
import styles from './account-forms.module.css'

/** The cards that the account asked to save, each with a way to remove it. */
export function SavedCards({ ownerUuid }: { ownerUuid: string }) {
  const queryClient = useQueryClient()
  const query = savedCardsQuery(ownerUuid)
  const { data: cards, isError } = useQuery({ ...query, staleTime: 0 })
  const [leaving, setLeaving] = useState<SavedCard>()
  const [asking, setAsking] = useState(false)
  const { write: remove, busy } = useWrite(
    (card: SavedCard) =>
      removeCard(card.id).catch((problem: unknown) => {
        // It was removed on another device.
        if (!(problem instanceof NetProblem) || problem.status !== 404) throw problem
      }),
    {
      onSuccess: async (_reply, card) => {
        await queryClient.invalidateQueries({ queryKey: query.queryKey })
        await reloadUser().catch(() => undefined)
        setAsking(false)
        announce(`${cardName(card)} is removed.`)
      },
      onFailure: (problem) => {
        setAsking(false)
        toast(refusalMessage(problem))
      },
    },
  )

  if (!cards) return isError ? <p>Your saved cards need a connection.</p> : <p aria-busy="true">&nbsp;</p>
  if (cards.length === 0)
    return <p>You have no saved cards. Tick “Save this card for next time” when you pay.</p>
  return (
    <>
      <ul className={styles.list} role="list">
        {cards.map((card) => (
          <li key={card.id} className={styles.row}>
            <CreditCardIcon className={styles.icon} size={24} aria-hidden />
            <div className={styles.words}>
              <b>{cardName(card)}</b>
              <p>
                {card.expired ? 'Expired' : 'Expires'} {expiryOf(card)}
              </p>
            </div>
            <div className={styles.ways}>
              <Button
                look="text"
                aria-label={`Remove ${cardName(card)}`}
                onClick={() => {
                  setLeaving(card)
                  setAsking(true)
                }}
              >
                Remove
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Dialog
        low
        open={asking}
        onOpenChange={setAsking}
        title={`Remove ${leaving ? cardName(leaving) : 'this card'}?`}
        closeLabel="Keep it"
        actions={
          <Button look="danger" busy={busy} onClick={() => leaving && void remove(leaving)}>
            Remove this card
          </Button>
        }
      >
        <p>You can type it in again whenever you buy something. A membership that it pays for goes on.</p>
      </Dialog>
    </>
  )
}
