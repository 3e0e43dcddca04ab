import { useId } from 'react'
import { PanelBelow } from '#ui/PanelBelow.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import type { MenuGroup } from './links.ts'
import styles from './MenuPanel.module.css'
import { LinkList } from './NavLink.tsx'

interface MenuPanelProps {
  groups: readonly MenuGroup[]
  onClose: () => void
}

/** All links of the shop. Plain links, so that Tab moves through them from the button. */
export function MenuPanel({ groups, onClose }: MenuPanelProps) {
  const id = useId()
  return (
    <PanelBelow>
      <Wrap as="nav" aria-label="Menu" className={styles.groups}>
        {groups.map(({ title, links }, index) => (
          <section key={title} aria-labelledby={`${id}-${index}`}>
            <h2 id={`${id}-${index}`} className={styles.title}>
              {title}
            </h2>
            <LinkList className={styles.links} links={links} linkClassName={styles.link} onFollow={onClose} />
          </section>
        ))}
      </Wrap>
    </PanelBelow>
  )
}
