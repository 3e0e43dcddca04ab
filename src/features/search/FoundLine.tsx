import { Link, type LinkProps } from '@tanstack/react-router'
import { Cover, type CoverPicture } from '#ui/Cover.tsx'
import styles from './results.module.css'

/** A book or an article as one line. */
export interface Line {
  readonly key: string
  readonly link: Pick<LinkProps, 'to' | 'params'>
  readonly title: string
  /** Author and format, or kind. */
  readonly detail: string
  readonly picture: CoverPicture | undefined
}

interface FoundLineProps {
  id: string
  line: Line
  active: boolean
  onOpen: () => void
}

/** An option of the panel's list that is a link: it can be opened in a new tab as well. */
export function FoundLine({ id, line: { link, title, detail, picture }, active, onOpen }: FoundLineProps) {
  return (
    <Link
      {...link}
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onClick={onOpen}
      className={styles.line}
    >
      <span className={styles.picture}>
        {picture && <Cover picture={picture} alt="" sizes="72px" thumb={picture.thumb !== undefined} eager />}
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className="quiet">{detail}</span>
      </span>
    </Link>
  )
}
