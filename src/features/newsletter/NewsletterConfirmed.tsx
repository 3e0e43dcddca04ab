import { useEffect, useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { confirmNewsletter } from './mutations.ts'

/** The link of the mail. It confirms by a POST of its own, so that a scanner that only looks changes nothing. */
export function NewsletterConfirmed({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<'confirmed' | 'failed'>()
  useEffect(() => {
    let left = false
    confirmNewsletter(token).then(
      () => left || setOutcome('confirmed'),
      () => left || setOutcome('failed'),
    )
    return () => {
      left = true
    }
  }, [token])
  return (
    <p role="status">
      {outcome === 'confirmed' && 'You’re on the list. The next newsletter is yours.'}
      {outcome === 'failed' && MESSAGES.somethingWentWrong}
    </p>
  )
}
