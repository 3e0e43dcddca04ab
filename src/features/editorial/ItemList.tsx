import type { EditorialCard } from '#contract/editorial.ts'
import { ItemCard } from './ItemCard.tsx'
import styles from './items.module.css'

/** Five at a time, each with room to be read. */
export function ItemList({ items }: { items: readonly EditorialCard[] }) {
  return (
    <ul role="list" className={styles.list}>
      {items.map((item, index) => (
        <li key={`${item.entityType} ${item.id}`}>
          <ItemCard item={item} eager={index < 2} />
        </li>
      ))}
    </ul>
  )
}
