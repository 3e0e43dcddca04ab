import { Navigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { addressOf } from '#features/cards/model.ts'
import { SupportMail } from '#features/cards/WhomToAsk.tsx'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './cards.module.css'

/** The end of a code that was refused (ERR-20 to ERR-22, RDM-12, RDM-13). */
export function RedemptionError({ spiSIN }: { spiSIN: string | null }) {
  const router = useRouter()
  const [refused] = useState(() => router.state.location.state.refusedCode)
  if (!refused) return <Navigate {...addressOf({ step: 'enter', spiSIN })} replace />
  return (
    <Wrap className={styles.error}>
      <Display as="h1" size="lg">
        Oops!
      </Display>
      <p className="lead">There has been a problem redeeming your audiobook.</p>
      {refused === 'unrecognised' ? (
        <p>
          The redemption code you’ve entered has not been recognised. Please check for typos and try again.
        </p>
      ) : (
        <p>
          The redemption code you’ve entered has already been redeemed. Please check with the person who gave
          you the card.
        </p>
      )}
      <p>
        Still stuck? Contact support at <SupportMail /> and we’ll sort it out.
      </p>
      <Button look="beak" onClick={() => router.history.back()}>
        Try again
      </Button>
    </Wrap>
  )
}
