import { useState } from 'react'
import { undoEmailChange } from '#features/account/mutations.ts'
import { refusalWords } from '#features/account/refusal.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './account.module.css'

const OVER =
  'This link has already been used, or it’s too old. If you can’t log in, please get in touch with us.'

/** The link of the mail to an account's former address. It asks first, since it logs everybody out. */
export function UndoEmail({ token }: { token: string }) {
  const [state, setState] = useState<'busy' | 'done'>()
  const [refusal, setRefusal] = useState('')
  const undo = async () => {
    setState('busy')
    try {
      await undoEmailChange(token)
      setState('done')
    } catch (problem) {
      setState(undefined)
      setRefusal(refusalWords(problem, OVER))
    }
  }
  const done = state === 'done'
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Put your email back" hidden />
      <meta name="referrer" content="no-referrer" />
      <Display as="h1" size="lg">
        {done ? 'Your email is back' : 'Put your email back?'}
      </Display>
      <p className={styles.lead} role="status">
        {done
          ? 'Check your email: we’ve sent you a link to choose a new password. Every device has been logged out.'
          : 'Your account gets this address back, every device is logged out, and you choose a new password.'}
      </p>
      <p role="alert">{refusal}</p>
      <p className={styles.ways}>
        {done ? (
          <LinkButton to="/forgot-password" look="quiet">
            Resend the email
          </LinkButton>
        ) : (
          <Button look="solid" busy={state === 'busy'} onClick={() => void undo()}>
            Put it back
          </Button>
        )}
      </p>
    </Wrap>
  )
}
