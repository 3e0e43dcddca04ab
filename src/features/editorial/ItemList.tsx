import type { ReactNode } from 'react'
import type { EditorialCard } from '#contract/editorial.ts'
import { ItemCard } from './ItemCard.tsx'
import styles from './items.module.css'

interface ItemListProps {
  items: readonly EditorialCard[]
  /** In the picture of a piece whose recording anybody may hear, or below its words. */
  play?: (item: EditorialCard) => ReactNode
}

export function ItemList({ items, play }: ItemListProps) {
  return (
    <ul role="list" className={styles.list}>
      {items.map((item, index) => (
        <li key={`${item.entityType} ${item.id}`}>
          <ItemCard item={item} eager={index < 2} />
          {play && item.hasAudio && !item.memberOnly && (
            <div className={styles.play} data-over={item.image ? '' : undefined}>
              {play(item)}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
