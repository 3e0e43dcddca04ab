import { useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { useWrite } from '../../writes/use-write.ts'
import styles from '#routes/-account/account.module.css'

interface LeaveListProps {
  /** "Leave the newsletter"; the heading adds a question mark. */
  title: string
  /** The button's label. */
  verb: string
  /** The confirmation. */
  left: string
  leave: () => Promise<unknown>
}

/** The unsubscribe link of an email. It asks first, because mail scanners follow links. */
export function LeaveList({ title, verb, left, leave }: LeaveListProps) {
  const [done, setDone] = useState(false)
  const { write, busy, refusal } = useWrite(leave, {
    onSuccess: () => setDone(true),
    message: () => MESSAGES.newsletterFailed,
  })
  return (
    <Wrap className={styles.screen}>
      <PageHead title={title} hidden />
      <Display as="h1" size="lg">
        {done ? 'You’re off the list' : `${title}?`}
      </Display>
      <p className={styles.lead} role="status">
        {done ? left : refusal}
      </p>
      <p className={styles.ways}>
        {done ? (
          <LinkButton to="/" look="solid">
            Home
          </LinkButton>
        ) : (
          <Button look="solid" busy={busy} onClick={() => void write()}>
            {verb}
          </Button>
        )}
      </p>
    </Wrap>
  )
}
