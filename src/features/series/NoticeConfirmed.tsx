import { useEffect, useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { confirmNotice, endNotice } from './mutations.ts'
import { Button } from '#ui/Button.tsx'

type Outcome = 'confirmed' | 'ended' | 'failed'

const WORDS: Record<Outcome, string> = {
  confirmed: 'You’ll hear from us when the next one is out.',
  ended: 'You won’t hear from us about it.',
  failed: MESSAGES.somethingWentWrong,
}

/** The link of the mail. It confirms by a POST of its own, so that a scanner that only looks changes nothing. */
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
  const end = () =>
    void endNotice(token).then(
      () => setOutcome('ended'),
      () => setOutcome('failed'),
    )
  return (
    <div className="row gap-3">
      <p role="status">{outcome && WORDS[outcome]}</p>
      {outcome === 'confirmed' && (
        <Button look="text" onClick={end}>
          I’ve changed my mind
        </Button>
      )}
    </div>
  )
}
