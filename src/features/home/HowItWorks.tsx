import { has, leadsSomewhere } from '#features/shop-details/shop.ts'
import { Display } from '#ui/Display.tsx'
import styles from './panels.module.css'

const stepsOf = (
  membership: boolean,
  sound: boolean,
  highlights: boolean,
): readonly (readonly [step: string, words: string])[] => [
  [
    'Join',
    `${membership ? 'Pick a plan, or none at all. ' : ''}A free account keeps your library and your place.`,
  ],
  [
    'Add to library',
    membership
      ? `Buy a title, take a free one, or choose ${highlights ? 'one of the highlights' : 'one'} with your membership.`
      : 'Buy a title, or take a free one. It’s yours for good.',
  ],
  [
    sound ? 'Listen anywhere' : 'Read anywhere',
    'Download it before the tunnel. Your place follows you from phone to kitchen.',
  ],
]

/** Three steps (HOME-08). */
export function HowItWorks({ title }: { title: string }) {
  return (
    <section aria-labelledby="how-it-works">
      <Display as="h2" size="md" id="how-it-works">
        {title}
      </Display>
      <ol role="list" className={styles.steps}>
        {stepsOf(has('membership'), has('audiobooks'), leadsSomewhere('/subscriber-selection')).map(
          ([step, words], index) => (
            <li key={step}>
              <span aria-hidden="true" className={styles.number}>
                {index + 1}
              </span>
              <h3>{step}</h3>
              <p>{words}</p>
            </li>
          ),
        )}
      </ol>
    </section>
  )
}
