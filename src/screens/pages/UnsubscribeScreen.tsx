import { useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { unsubscribe } from '#features/newsletter/mutations.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/LinkButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from '../account/account.module.css'

/** The newsletter's link. It asks first, so that a mail scanner that follows links unsubscribes nobody. */
export function UnsubscribeScreen({ token }: { token: string }) {
  const [state, setState] = useState<'busy' | 'done' | 'failed'>()
  const leave = async () => {
    setState('busy')
    setState(
      await unsubscribe(token).then(
        () => 'done' as const,
        () => 'failed' as const,
      ),
    )
  }
  const done = state === 'done'
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Leave the newsletter" hidden />
      <Display as="h1" size="lg">
        {done ? 'You’re off the list' : 'Leave the newsletter?'}
      </Display>
      <p className={styles.lead} role="status">
        {done ? 'We won’t send you any more newsletters.' : state === 'failed' && MESSAGES.newsletterFailed}
      </p>
      <p className={styles.ways}>
        {done ? (
          <LinkButton to="/" look="solid">
            Home
          </LinkButton>
        ) : (
          <Button look="solid" busy={state === 'busy'} onClick={() => void leave()}>
            Unsubscribe
          </Button>
        )}
      </p>
    </Wrap>
  )
}
