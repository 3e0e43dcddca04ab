import styles from './layout.module.css'

/** Before anything is filled in, where the shop does not sell to somebody's country. */
export function NotSoldHere({ country, children }: { country: string; children: string }) {
  return (
    <p role="note" className={styles.note}>
      We’re sorry, we don’t sell to your country yet ({country}). {children}
    </p>
  )
}
