import { useState, type ReactNode } from 'react'
import styles from './AccountForm.module.css'
import { CodeForm } from './CodeForm.tsx'

interface CheckMailProps {
  email: string
  /** The ways on from here. */
  children?: ReactNode | undefined
  /** Told when the code was right: the account is confirmed. */
  onConfirmed: () => void
}

/** After registering (ACC-15, AUTHUI-03): the account is open, and the mail asks to confirm its address. */
export function CheckMail({ email, children, onConfirmed }: CheckMailProps) {
  const [confirmed, setConfirmed] = useState(false)
  const done = () => {
    setConfirmed(true)
    onConfirmed()
  }
  return (
    <div className={styles.text} role="status">
      {confirmed ? (
        <p>
          Thank you. <span className={styles.strong}>{email}</span> is confirmed.
        </p>
      ) : (
        <>
          <p>
            Your account is open. Please check your email: we have sent a verification link to{' '}
            <span className={styles.strong}>{email}</span>.
          </p>
          <p>If the link opens somewhere else, enter the code from the same email.</p>
          <CodeForm onConfirmed={done} />
        </>
      )}
      {children}
    </div>
  )
}
