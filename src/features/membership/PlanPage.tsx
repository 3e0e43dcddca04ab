import type { ReactNode } from 'react'
import { Band } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import { titleTheme } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './membership.module.css'

interface TestimonialsProps {
  title: string
  voices: readonly { authorDescription: string; authorName: string; authorRole: string }[]
}

/** Shows the first three (MEMB-10). */
export function Testimonials({ title, voices }: TestimonialsProps) {
  return (
    <section className={styles.section} aria-labelledby="voices">
      <Wrap>
        <Display as="h2" size="md" id="voices">
          {title}
        </Display>
        <div className={styles.voices}>
          {voices.slice(0, 3).map(({ authorDescription, authorName, authorRole }) => (
            <figure key={authorName}>
              <blockquote>{authorDescription}</blockquote>
              <figcaption>
                <b>{authorName}</b>
                {authorRole}
              </figcaption>
            </figure>
          ))}
        </div>
      </Wrap>
    </section>
  )
}

interface GiftStepsProps {
  title: string
  /** Three steps (MEMB-11). */
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
