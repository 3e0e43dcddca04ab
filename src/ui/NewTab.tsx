import { ArrowSquareOutIcon } from '@phosphor-icons/react/dist/csr/ArrowSquareOut'
import { Icon } from './Icon.tsx'
import styles from './text.module.css'
import { VisuallyHidden } from './VisuallyHidden.tsx'

/** Stands at the end of a link's words: it opens in a tab of its own, for the eye and the ear. */
export const NewTab = () => (
  <>
    <Icon of={ArrowSquareOutIcon} size={14} className={styles.icon} />
    <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
  </>
)
