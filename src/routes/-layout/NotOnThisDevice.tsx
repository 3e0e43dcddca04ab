import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { OfflineScreen } from '#app/problems/OfflineScreen.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './layout.module.css'

/** Replaces a player or reader, which fill the window. */
export const NotOnThisDevice = ({ onBack, onRetry }: { onBack: () => void; onRetry: () => void }) => (
  <>
    <Wrap className={styles.bar}>
      <IconButton label="Back" icon={<Icon of={CaretLeftIcon} />} onClick={onBack} />
    </Wrap>
    <OfflineScreen onRetry={onRetry} />
  </>
)
