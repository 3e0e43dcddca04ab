import { cx } from './cx.ts'
import styles from './Wordmark.module.css'

interface WordmarkProps {
  name: string
  /** A logo used as a mask in the current text colour; without one, the name is set as text. */
  logo?: { url: string; ratio: number } | undefined
  /** The footer's full-width variant. */
  large?: boolean | undefined
}

export function Wordmark({ name, logo, large }: WordmarkProps) {
  const look = cx(styles.mark, large && styles.large)
  return logo ? (
    <span
      role="img"
      aria-label={name}
      className={cx(look, styles.logo)}
      style={{ '--logo': `url(${logo.url})`, '--ratio': logo.ratio }}
    />
  ) : (
    <span
      className={cx(look, large && /[gjpqy]/.test(name) && styles.deep)}
      style={{ '--letters': name.length }}
    >
      {name}
    </span>
  )
}
