import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { ReactNode } from 'react'
import { Icon } from '#ui/Icon.tsx'
import styles from './redemption.module.css'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'

/** The three steps, with the form in the first (RDM-01). */
export const RedemptionSteps = ({ children }: { children: ReactNode }) => (
  <ol role="list" className={styles.steps}>
    <li aria-current="step">
      <span className={styles.number}>1</span>
      <div>
        <h2>Enter your code</h2>
        <p>It’s inside the card. Hyphens are optional.</p>
      </div>
      <div className={styles.stepForm}>{children}</div>
    </li>
    <li>
      <span className={styles.number}>2</span>
      <div>
        <h2>Sign in or create an account</h2>
        <p>An email and a password. No card details.</p>
      </div>
    </li>
    <li>
      <span className={styles.number}>3</span>
      <div>
        <h2>Open your library</h2>
        <p>Listen in the browser, or save it for the train.</p>
      </div>
    </li>
  </ol>
)

/** The steps so far, in three words. */
export const StepsDone = ({ done }: { done: 1 | 3 }) => (
  <ol role="list" className={styles.done}>
    {['Code', 'Account', 'Library'].map((step, index) => (
      <li key={step} aria-current={index === done ? 'step' : undefined}>
        {index < done ? (
          <>
            <Icon of={CheckIcon} size={18} />
            <VisuallyHidden>Done: </VisuallyHidden>
          </>
        ) : (
          <span aria-hidden="true">{index + 1}.</span>
        )}
        {step}
      </li>
    ))}
  </ol>
)
