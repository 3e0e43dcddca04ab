import { Display } from '#ui/Display.tsx'
import styles from './panels.module.css'

/** The shop's own description, in the owner's words: paragraphs by blank lines (HOME-07). */
export function AboutShop({ title, text }: { title: string; text: string }) {
  return (
    <section className={styles.about} aria-labelledby="about-the-shop">
      <Display as="h2" size="md" id="about-the-shop">
        {title}
      </Display>
      <div className={styles.text}>
        {text.split(/\n\s*\n/).map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </section>
  )
}
