import styles from './layout.module.css'

/** Where something costs money, in a shop whose owner has set no keys of a payment provider. */
export function NoPaymentsYet({ children }: { children: string }) {
  return (
    <p role="note" className={styles.note}>
      We can’t take payments yet. {children}
    </p>
  )
}
