import type { ReactNode } from 'react'
import { Band } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import { titleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './voices.module.css'

interface GiftStepsProps {
  title: string
  /** Three of them (MEMB-11). */
  steps: readonly (readonly [title: string, words: string])[]
  action: ReactNode
}

const ROSE = titleTheme('F0C9BE', 'E8B9AB', '3A1C2B')

export function GiftSteps({ title, steps, action }: GiftStepsProps) {
  return (
    <Band theme={ROSE} as="div">
      <Wrap as="section" aria-labelledby="gift" className={styles.gift}>
        <Display as="h2" size="lg" id="gift">
          {title}
        </Display>
        <ol role="list" className={styles.steps}>
          {steps.map(([step, words], index) => (
            <li key={step}>
              <b aria-hidden="true">{index + 1}</b>
              <h3>{step}</h3>
              <p>{words}</p>
            </li>
          ))}
        </ol>
        <div>{action}</div>
      </Wrap>
    </Band>
  )
}
