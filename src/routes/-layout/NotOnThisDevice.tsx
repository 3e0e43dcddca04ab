import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { OfflineScreen } from '#app/problems/OfflineScreen.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './layout.module.css'

/** In the place of a player or a reader, which fill the window: without a connection, with a way back. */
export const NotOnThisDevice = ({ onBack, onRetry }: { onBack: () => void; onRetry: () => void }) => (
  <>
    <Wrap className={styles.bar}>
      <IconButton label="Back" icon={<Icon of={CaretLeftIcon} />} onClick={onBack} />
    </Wrap>
    <OfflineScreen onRetry={onRetry} />
  </>
)
