import { ArrowSquareOutIcon } from '@phosphor-icons/react/dist/csr/ArrowSquareOut'
import { Icon } from './Icon.tsx'
import styles from './text.module.css'
import { VisuallyHidden } from './VisuallyHidden.tsx'

/** At the end of a link's text: an icon and hidden text for a link that opens a new tab. */
export const NewTab = () => (
  <>
    <Icon of={ArrowSquareOutIcon} size={14} className={styles.icon} />
    <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
  </>
)
