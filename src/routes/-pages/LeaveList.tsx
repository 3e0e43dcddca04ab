import { useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from '#routes/-account/account.module.css'

interface LeaveListProps {
  /** "Leave the newsletter"; the heading asks. */
  title: string
  /** Of the button. */
  verb: string
  /** What is so afterwards, in a sentence. */
  left: string
  leave: () => Promise<unknown>
}

/** The link that ends a mail. It asks first, so that a mail scanner that follows links unsubscribes nobody. */
export function LeaveList({ title, verb, left, leave }: LeaveListProps) {
  const [state, setState] = useState<'busy' | 'done' | 'failed'>()
  const press = async () => {
    setState('busy')
    setState(
      await leave().then(
        () => 'done' as const,
        () => 'failed' as const,
      ),
    )
  }
  const done = state === 'done'
  return (
    <Wrap className={styles.screen}>
      <PageHead title={title} hidden />
      <Display as="h1" size="lg">
        {done ? 'You’re off the list' : `${title}?`}
      </Display>
      <p className={styles.lead} role="status">
        {done ? left : state === 'failed' && MESSAGES.newsletterFailed}
      </p>
      <p className={styles.ways}>
        {done ? (
          <LinkButton to="/" look="solid">
            Home
          </LinkButton>
        ) : (
          <Button look="solid" busy={state === 'busy'} onClick={() => void press()}>
            {verb}
          </Button>
        )}
      </p>
    </Wrap>
  )
}
