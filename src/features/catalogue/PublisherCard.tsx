import { Link } from '@tanstack/react-router'
import styles from './entries.module.css'

interface PublisherCardProps {
  publisher: { readonly name: string; readonly slug: string; readonly about: string | null }
  level?: 'h2' | 'h3'
}

export function PublisherCard({ publisher, level: Heading = 'h3' }: PublisherCardProps) {
  return (
    <Link to="/publishers/$slug" params={{ slug: publisher.slug }} className={styles.card}>
      <Heading className={styles.name}>{publisher.name}</Heading>
      {publisher.about && <p className={styles.about}>{publisher.about}</p>}
    </Link>
  )
}
