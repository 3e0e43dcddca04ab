import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { saveAddress } from '#ui/save-file.ts'
import { serverMessage, useWrite } from '#writes/use-write.ts'
import { type Given, makeCard, recipientOf } from './given-gifts.ts'
import styles from './gifts.module.css'

interface PrintCardProps {
  gift: Given
  /** From the link in the giver's email, for a giver who isn't logged in. */
  token?: string | undefined
}

/** Saves a PDF to print and fold: cover, note and a code for the recipient. */
export function PrintCard({ gift, token }: PrintCardProps) {
  const { write, busy, refusal } = useWrite(() => makeCard(gift, token), {
    onSuccess: (address) => {
      saveAddress(address, '')
      announce('The card is a PDF. Print it on A4 and fold it twice.')
    },
    onFailure: (problem) => announce(serverMessage(problem), 'assertive'),
    message: serverMessage,
  })
  return (
    <>
      <Button
        look="text"
        busy={busy}
        aria-label={`Print a card for ${recipientOf(gift)}`}
        onClick={() => void write()}
      >
        Print a card
      </Button>
      {refusal && <p className={styles.cardProblem}>{refusal}</p>}
    </>
  )
}
