import styles from './Prose.module.css'

/** HTML that the server sanitised when it was saved. */
export function Prose({ html }: { html: string }) {
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />
}
