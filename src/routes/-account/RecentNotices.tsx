import { useToasts } from '#ui/toast.ts'
import styles from './account.module.css'

/** What was said at the bottom of the screen and has gone: it can be read again, in one's own time. */
export function RecentNotices() {
  const notices = useToasts(({ past }) => past)
  if (notices.length === 0)
    return <p>Nothing yet. What we say in passing can be read here until you close this tab.</p>
  return (
    <ul role="list" className={styles.list}>
      {notices.map(({ id, text, atMs }) => (
        <li key={id}>
          {text} <time dateTime={new Date(atMs).toISOString()}>{hourOf(atMs)}</time>
        </li>
      ))}
    </ul>
  )
}

const hourOf = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
