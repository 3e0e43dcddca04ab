import { Link } from '@tanstack/react-router'
import type { EditorialLink } from '#contract/catalogue.ts'
import { Cover } from '#ui/Cover.tsx'
import { SectionHead } from '#ui/SectionHead.tsx'
import styles from './AboutBook.module.css'
import { KIND_WORDS, linkOf, pictureOf, type EditorialKind } from './model.ts'

interface AboutBookProps {
  kind: EditorialKind
  links: readonly EditorialLink[]
}

/** The journal's articles about a book (BOOK-13, BOOK-26, BOOK-27). */
export function AboutBook({ kind, links }: AboutBookProps) {
  if (links.length === 0) return null
  const id = `about-${kind}`
  return (
    <section aria-labelledby={id}>
      <SectionHead title={KIND_WORDS[kind].title} id={id} />
      <ul role="list" className={styles.links}>
        {links.map((link) => {
          const picture = pictureOf({ image: link.image, imagePlaceholder: null })
          return (
            <li key={link.slug}>
              <Link {...linkOf(kind, link.slug)} className={styles.link}>
                {picture && <Cover picture={picture} alt="" sizes="(min-width: 768px) 180px, 34vw" lift />}
                <span>
                  <b className={styles.title}>{link.title}</b>
                  <span className={styles.words}>{link.shortDescription}</span>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
