import { BookOpenIcon } from '@phosphor-icons/react/dist/csr/BookOpen'
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

/** The started titles, last heard first; a press continues the title. */
export function ContinueListening({ items }: { items: readonly ShelfEntry[] }) {
  const navigate = useNavigate()
  const goOn = ({ slug, format }: ShelfEntry) =>
    format === 'eBook'
      ? void navigate({ to: '/read/$slug', params: { slug } })
      : void listenTo({ slug, kind: 'book' }, () => void navigate({ to: '/player/$slug', params: { slug } }))
  const shown = items.slice(0, LAST_PLAYED)
  return (
    <section className={styles.section} aria-labelledby="continue-listening">
      <Display as="h2" size="sm" id="continue-listening">
        {shown.some(({ format }) => format === 'eBook') ? 'Carry on' : 'Continue listening'}
      </Display>
      <ul role="list" className={styles.list}>
        {shown.map((item) => (
          <li key={item.key}>
            <button type="button" className={styles.row} onClick={() => goOn(item)}>
              <Cover picture={item.picture} alt="" sizes="64px" thumb className={styles.cover} />
              <span className={styles.words}>
                <span className={styles.title}>{item.title}</span>
                <span className={styles.left}>{item.words}</span>
                <ProgressLine share={item.share ?? 0} thin />
              </span>
              <span className={styles.play}>
                <Icon of={item.format === 'eBook' ? BookOpenIcon : PlayIcon} size={20} filled />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
