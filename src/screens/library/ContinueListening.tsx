import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { useNavigate } from '@tanstack/react-router'
import { listenTo } from '#features/player/lazy.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import styles from './ContinueListening.module.css'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import { LAST_PLAYED } from '#features/library/use-shelf.ts'

/** The books that were begun, the one heard last first; a press goes on with it. */
export function ContinueListening({ items }: { items: readonly ShelfEntry[] }) {
  const navigate = useNavigate()
  const goOn = (slug: string) =>
    void listenTo({ slug, kind: 'book' }, () => void navigate({ to: '/player/$slug', params: { slug } }))
  return (
    <section className={styles.section} aria-labelledby="continue-listening">
      <Display as="h2" size="sm" id="continue-listening">
        Continue listening
      </Display>
      <ul role="list" className={styles.list}>
        {items.slice(0, LAST_PLAYED).map(({ slug, title, picture, share, words }) => (
          <li key={slug}>
            <button type="button" className={styles.row} onClick={() => goOn(slug)}>
              <Cover picture={picture} alt="" sizes="64px" thumb className={styles.cover} />
              <span className={styles.words}>
                <span className={styles.title}>{title}</span>
                <span className={styles.left}>{words}</span>
                <ProgressLine share={share ?? 0} thin />
              </span>
              <span className={styles.play}>
                <Icon of={PlayIcon} size={20} filled />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
