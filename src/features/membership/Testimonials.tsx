import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './voices.module.css'

interface TestimonialsProps {
  title: string
  voices: readonly { authorDescription: string; authorName: string; authorRole: string }[]
}

/** The first three (MEMB-10). */
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
