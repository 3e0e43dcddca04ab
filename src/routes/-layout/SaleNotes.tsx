import styles from './layout.module.css'

/** For a shop without keys of a payment provider. */
export function NoPaymentsYet({ children }: { children: string }) {
  return (
    <p role="note" className={styles.note}>
      We can’t take payments yet. {children}
    </p>
  )
}

/** For visitors from a country that the shop doesn't sell to. */
export function NotSoldHere({ country, children }: { country: string; children: string }) {
  return (
    <p role="note" className={styles.note}>
      We’re sorry, we don’t sell to your country yet ({country}). {children}
    </p>
  )
}
