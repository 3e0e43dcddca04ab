import { useEffect, useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { confirmNotice, endNotice } from './mutations.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import styles from './series.module.css'

type Outcome = 'confirmed' | 'ended' | 'failed'

const WORDS: Record<Outcome, string> = {
  confirmed: 'You’ll hear from us when the next one is out.',
  ended: 'You won’t hear from us about it.',
  failed: MESSAGES.somethingWentWrong,
}

/**
 * The link of the mail. It confirms by a POST of its own, so that a scanner that only looks changes nothing. Nothing is drawn
 * before that: the page of the server knows of no token.
 */
export function NoticeConfirmed({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    let left = false
    confirmNotice(token).then(
      () => left || setOutcome('confirmed'),
      () => left || setOutcome('failed'),
    )
    return () => {
      left = true
    }
  }, [token])
  useEffect(() => {
    if (outcome) announce(WORDS[outcome])
  }, [outcome])
  const end = () =>
    void endNotice(token).then(
      () => setOutcome('ended'),
      () => setOutcome('failed'),
    )
  if (!outcome) return null
  return (
    <div className={styles.notice}>
      <p>{WORDS[outcome]}</p>
      {outcome === 'confirmed' && (
        <Button look="text" onClick={end}>
          I’ve changed my mind
        </Button>
      )}
    </div>
  )
}
