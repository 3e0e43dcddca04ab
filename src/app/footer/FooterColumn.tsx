import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { useId, useState } from 'react'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import styles from './footer.module.css'
import { LinkList } from '../menus/LinkList.tsx'
import type { ShellLink } from '../menus/shell-link.ts'

export interface FooterColumnProps {
  title: string
  links: readonly ShellLink[]
}

/** Opens and closes on phones; from 768 px on a plain heading with its list. */
export function FooterColumn({ title, links }: FooterColumnProps) {
  const [open, setOpen] = useState(false)
  const listId = useId()
  return (
    <div className={styles.column}>
      <h2 className={styles.title}>
        <span className={styles.plain}>{title}</span>
        <button
          type="button"
          className={styles.opener}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          {title}
          <Icon of={CaretDownIcon} size={18} />
        </button>
      </h2>
      <LinkList
        id={listId}
        className={cx(styles.links, !open && styles.closed)}
        links={links}
        linkClassName={styles.link}
      />
    </div>
  )
}
