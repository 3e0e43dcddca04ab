import styles from './layout.module.css'

/** Where something costs money, in a shop whose owner has set no keys of a payment provider. */
export function NoPaymentsYet({ children }: { children: string }) {
  return (
    <p role="note" className={styles.note}>
      We can’t take payments yet. {children}
    </p>
  )
}

/** Before anything is filled in, where the shop does not sell to somebody's country. */
export function NotSoldHere({ country, children }: { country: string; children: string }) {
  return (
    <p role="note" className={styles.note}>
      We’re sorry, we don’t sell to your country yet ({country}). {children}
    </p>
  )
}
