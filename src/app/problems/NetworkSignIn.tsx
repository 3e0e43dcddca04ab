import { SIGN_IN_PATH } from '#contract/limits.ts'
import styles from '../header/banners.module.css'

/** Leads to the page on which a train's or a hotel's network lets somebody in. A book that plays here plays on. */
export const NetworkSignIn = () => (
  <a href={SIGN_IN_PATH} target="_blank" rel="noreferrer" className={styles.signIn}>
    This network wants you to sign in
  </a>
)
